/** Parses narrows: a list of terms, as objects or pairs, which must all match. */
import type { Fault } from '../../../kernel/fault';
import { badArgument, coded } from '../faults';

export const OPERATORS = [
  'stream',
  'topic',
  'streams',
  'sender',
  'pm-with',
  'group-pm-with',
  'dm-including',
  'is',
  'in',
  'has',
  'id',
  'near',
  'date',
  'with',
  'search',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** The names of today's Zulip for what 2.1 has under another one. */
const NEWER_NAMES: Readonly<Record<string, Operator>> = { channel: 'stream', channels: 'streams', dm: 'pm-with' };

export type Operand = string | number | readonly number[];

export interface Term {
  readonly operator: Operator;
  readonly operand: Operand;
  readonly negated: boolean;
}

export const badNarrow = (description: string): Fault =>
  coded('invalid', 'BAD_NARROW', `Invalid narrow operator: ${description}`, { desc: description });

/** Each term is checked against every scanned message. */
const MAX_TERMS = 100;
const MAX_OPERAND_LENGTH = 1000;

/** Operators that accept an id instead of a name; `id` and `near` are numbers anyway. */
const TAKE_IDS: ReadonlySet<string> = new Set([
  'sender',
  'stream',
  'group-pm-with',
  'dm-including',
  'id',
  'near',
  'with',
]);

export function readNarrow(written: string): Term[] {
  const refusal = badArgument('narrow', written.slice(0, 200));
  const items = parsed(written);
  if (!Array.isArray(items)) throw refusal;
  if (items.length > MAX_TERMS) throw badNarrow(`more than ${MAX_TERMS} terms`);
  return items.map((item: unknown) => {
    const { operator, operand, negated } = partsOf(item);
    if (typeof operator !== 'string') throw refusal;
    // Both spellings are in use.
    const spelled = operator.replaceAll('_', '-');
    const name = NEWER_NAMES[spelled] ?? spelled;
    if (!isOperand(name, operand)) throw refusal;
    if (typeof operand !== 'number' && operand.length > MAX_OPERAND_LENGTH) {
      throw badNarrow(`an operand of ${name} is longer than ${MAX_OPERAND_LENGTH}`);
    }
    if (!OPERATORS.includes(name as Operator)) throw badNarrow(`unknown operator ${operator}`);
    return { operator: name as Operator, operand, negated: negated === true };
  });
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

function partsOf(item: unknown): { operator?: unknown; operand?: unknown; negated?: unknown } {
  if (Array.isArray(item)) return item.length === 2 ? { operator: item[0], operand: item[1] } : {};
  return typeof item === 'object' && item !== null ? item : {};
}

function isOperand(operator: string, operand: unknown): operand is Operand {
  if (typeof operand === 'string') return true;
  if (operator === 'pm-with') return Array.isArray(operand) && operand.every((id) => Number.isSafeInteger(id));
  return TAKE_IDS.has(operator) && Number.isSafeInteger(operand);
}

/** All searched words, as one text. */
export const searchText = (terms: readonly Term[]): string =>
  terms
    .filter(({ operator, negated }) => operator === 'search' && !negated)
    .map(({ operand }) => String(operand))
    .join(' ')
    .trim();
