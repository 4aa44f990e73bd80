/**
 * The addresses of linkifiers: RFC 6570 templates, as today's clients write them, and Python's formats, as those of 2.1
 * do. Both are read to the same parts, and each can be written as the other.
 */
import { PatternMistake } from './pattern';

/** Literal text, or groups to insert. */
export type AddressPart = { readonly text: string } | Expression;

interface Variable {
  readonly group: string;
  /** Only so many characters of it. */
  readonly most: number | undefined;
}

interface Expression {
  readonly variables: readonly Variable[];
  /** Undefined in Python's formats, which insert groups as they are. */
  readonly operator: Operator | undefined;
}

interface Operator {
  readonly first: string;
  readonly between: string;
  /** What follows the name of a variable without a value; undefined if names are not written. */
  readonly ifEmpty: string | undefined;
  readonly keepsReserved: boolean;
}

const operator = (first: string, between: string, ifEmpty?: string, keepsReserved = false): Operator => ({
  first,
  between,
  ifEmpty,
  keepsReserved,
});

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': operator('', ','),
  '+': operator('', ',', undefined, true),
  '#': operator('#', ',', undefined, true),
  '.': operator('.', '.'),
  '/': operator('/', '/'),
  ';': operator(';', ';', ''),
  '?': operator('?', '&', '='),
  '&': operator('&', '&', '='),
};

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text);

/** Python's format: `%(name)s`, and `%%` for a percent sign. */
export function readFormat(format: string): AddressPart[] {
  if (!isWebAddress(format)) throw new PatternMistake('the address is no web address');
  const parts: AddressPart[] = [];
  for (const [text] of format.matchAll(/%\((\w+)\)s|%%|%|[^%]+/g)) {
    if (text === '%') throw new PatternMistake('a percent sign that stands alone');
    if (text === '%%') parts.push({ text: '%' });
    else parts.push(text.startsWith('%') ? inserted(text.slice(2, -2)) : { text });
  }
  return parts;
}

const inserted = (group: string): Expression => ({ variables: [{ group, most: undefined }], operator: undefined });

export function readTemplate(template: string): AddressPart[] {
  if (!isWebAddress(template)) throw new PatternMistake('the address is no web address');
  const parts: AddressPart[] = [];
  for (const [text] of template.matchAll(/\{[^{}]*\}|[{}]|[^{}]+/g)) {
    if (text === '{' || text === '}') throw new PatternMistake('a brace that stands alone');
    if (/[\s"<>\\^`|]/.test(text)) throw new PatternMistake('the address has characters that addresses do not have');
    parts.push(text.startsWith('{') ? expression(text.slice(1, -1)) : { text });
  }
  return parts;
}

function expression(inside: string): Expression {
  const [, sign, list] = /^([+#./;?&]?)(.*)$/.exec(inside)!;
  const variables = list!.split(',').map((written) => {
    // A text that is exploded (`*`) is the text.
    const [, group, most] = /^(\w+)(?:\*|:([1-9]\d{0,3}))?$/.exec(written) ?? [];
    if (group === undefined) throw new PatternMistake(`no template has {${inside}}`);
    return { group, most: most === undefined ? undefined : Number(most) };
  });
  return { variables, operator: OPERATORS[sign!]! };
}

export const groupsIn = (parts: readonly AddressPart[]): string[] =>
  parts.flatMap((part) => ('text' in part ? [] : part.variables.map(({ group }) => group)));

type Groups = Readonly<Record<string, string>>;

export const addressOf = (parts: readonly AddressPart[], groups: Groups): string =>
  parts.map((part) => ('text' in part ? part.text : expanded(part, groups))).join('');

function expanded({ variables, operator: how }: Expression, groups: Groups): string {
  if (!how) return variables.map(({ group }) => groups[group] ?? '').join('');
  const values = variables.map(({ group, most }) => {
    const value = encoded(
      Array.from(groups[group] ?? '')
        .slice(0, most)
        .join(''),
      how.keepsReserved,
    );
    if (how.ifEmpty === undefined) return value;
    return value === '' ? `${group}${how.ifEmpty}` : `${group}=${value}`;
  });
  return how.first + values.join(how.between);
}

function encoded(value: string, keepsReserved: boolean): string {
  const escaped = keepsReserved ? /%[\da-f]{2}|[\w\-.~:/?#[\]@!$&'()*+,;=]+|./gisu : /[\w\-.~]+|./gsu;
  const kept = keepsReserved ? /^(?:%[\da-f]{2}|[\w\-.~:/?#[\]@!$&'()*+,;=]+)$/i : /^[\w\-.~]+$/;
  return value.replaceAll(escaped, (text) => (kept.test(text) ? text : percent(text)));
}

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** For clients of 2.1, which insert what was matched as it is. */
export const formatOf = (template: string): string =>
  readTemplate(template)
    .map((part) => ('text' in part ? part.text.replaceAll('%', '%%') : inFormat(part)))
    .join('');

function inFormat({ variables, operator: how }: Expression): string {
  const names = variables.map(({ group }) => (how?.ifEmpty === undefined ? `%(${group})s` : `${group}=%(${group})s`));
  return (how?.first ?? '') + names.join(how?.between ?? '');
}

/** For today's clients; Zulip turned its own formats into templates in the same way. */
export const templateOf = (format: string): string =>
  readFormat(format)
    .map((part) =>
      'text' in part ? part.text.replaceAll('{', '%7B').replaceAll('}', '%7D') : `{${groupsIn([part])[0]}}`,
    )
    .join('');
