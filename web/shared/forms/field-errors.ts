/** Parses field errors of the API: `name: is required; email: is not an email address`. */
import { refusalText } from '../texts/refusals';
import { t, type TextKey } from '../texts/texts';

export interface FieldErrors {
  /** By API field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Errors that belong to no field of the form. */
  readonly rest: string;
}

/** The API's most common English sentences, to be translated. */
const SENTENCES: readonly (readonly [RegExp, TextKey])[] = [
  [/^is required$|^must not be empty$/, 'field.required'],
  [/^is not an email address$/, 'field.email'],
  [/^must (?:have|be one line of) 1 to (\d+) characters$/, 'field.length'],
  [/^must have at most (\d+) characters$/, 'field.length'],
  [/^must be a timezone/, 'field.timezone'],
  [/^must be a whole number$|^must be at (?:least|most) /, 'field.number'],
  [/^(?:must be|is not) a telephone number/, 'field.phone'],
  [/^is too easy to guess$/, 'field.weak'],
];

function translated(sentence: string): string {
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found) return t(key, { most: found[1] ?? '' });
  }
  return refusalText(sentence);
}

export function readFieldErrors(detail: string, known: readonly string[]): FieldErrors {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  if (!/^[\w.]+: /.test(detail)) return { fields, rest: refusalText(detail) };
  for (const sentence of detail.split('; ')) {
    const [, name = '', words = ''] = /^([\w.]+): (.*)$/.exec(sentence) ?? [];
    if (known.includes(name)) fields[name] ??= translated(words);
    else rest.push(refusalText(sentence));
  }
  return { fields, rest: rest.join('; ') };
}
