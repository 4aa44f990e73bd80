/** Parses a typed search into terms: `stream:design topic:"new logo" from:ann@example.com -is:starred "a phrase"`. */
import type { Term } from './narrow';

export const OPERATORS = ['stream', 'topic', 'sender', 'pm-with', 'group-pm-with', 'is', 'has', 'id', 'near'] as const;

const ALIASES: Readonly<Record<string, string>> = { from: 'sender', subject: 'topic', 'pm-with': 'pm-with' };
const WORD = /(-?)(?:([\w-]+):)?(?:"([^"]*)"?|(\S+))/g;

export function parseSearch(query: string): Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [whole, minus, name = '', quoted, plain = ''] of query.matchAll(WORD)) {
    const operator = ALIASES[name.toLowerCase()] ?? name.toLowerCase();
    if (!(OPERATORS as readonly string[]).includes(operator)) {
      words.push(whole);
      continue;
    }
    const operand = quoted ?? plain.replaceAll('+', ' ');
    if (operand !== '') terms.push({ operator, operand, ...(minus === '-' ? { negated: true } : {}) });
  }
  if (words.length > 0) terms.push({ operator: 'search', operand: words.join(' ') });
  return terms;
}

/** Formats a term as a user would type it. */
export const writeTerm = (operator: string, operand: string): string =>
  /\s/.test(operand) ? `${operator}:"${operand}"` : `${operator}:${operand}`;
