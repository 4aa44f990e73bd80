/** Parses a typed search into terms: `stream:design topic:"new logo" from:ann@example.com -is:starred "a phrase"`. */
import type { Term } from './narrow';

export const OPERATORS = [
  'stream',
  'streams',
  'topic',
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
] as const;

/** Other names for them, those of today's Zulip first. */
const ALIASES: Readonly<Record<string, string>> = {
  channel: 'stream',
  channels: 'streams',
  dm: 'pm-with',
  from: 'sender',
  subject: 'topic',
};
const OF_PEOPLE: ReadonlySet<string> = new Set(['sender', 'pm-with', 'group-pm-with', 'dm-including']);

/** What the server calls an operator, whatever it is typed as. */
export const operatorOf = (name: string): string => ALIASES[name.toLowerCase()] ?? name.toLowerCase();

const WORD = /(-?)(?:([\w-]+):)?(?:"([^"]*)"?|(\S+))/g;

export function parseSearch(query: string): Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [whole, minus, name = '', quoted, plain = ''] of query.matchAll(WORD)) {
    const operator = operatorOf(name);
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

/** Replaces the names of people, of whom `addressOf` knows the addresses; a message to several has commas. */
export const withAddresses = (query: string, addressOf: (name: string) => string | undefined): string =>
  query.replace(WORD, (whole: string, ...groups: (string | undefined)[]) => {
    const [minus = '', name = '', quoted, plain = ''] = groups;
    const operator = operatorOf(name);
    if (!OF_PEOPLE.has(operator)) return whole;
    const people = (quoted ?? plain.replaceAll('+', ' ')).split(',').map((each) => each.trim());
    return minus + writeTerm(name, people.map((each) => addressOf(each) ?? each).join(','));
  });

/** The moment at which a search with `date:` begins: a day, a month or a year, `today` or `yesterday`. */
export function dateIn(query: string, now = new Date()): Date | undefined {
  const written = parseSearch(query).find(({ operator, negated }) => operator === 'date' && negated !== true);
  if (!written) return undefined;
  const operand = String(written.operand).toLowerCase();
  const ago = { today: 0, yesterday: 1 }[operand];
  if (ago !== undefined) return new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago);
  const parts = /^(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?$/.exec(operand);
  if (!parts) return undefined;
  const [, year, month = '1', day = '1'] = parts;
  // The day begins at midnight where the reader is.
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date : undefined;
}
