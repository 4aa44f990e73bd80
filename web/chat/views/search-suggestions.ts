/** Suggestions for the last word of a search. */
import { t, type TextKey } from '../../shared/texts/texts';
import { operatorOf, writeTerm } from '../data/search-terms';
import { chat } from '../data/store';
import { countsOf } from '../side/unread-total';

interface Suggestion {
  readonly text: string;
  readonly hint: string;
  /** Whether the suggestion is complete; otherwise the user must type an operand. */
  readonly isWhole: boolean;
}

const FIXED: readonly (readonly [string, TextKey, boolean])[] = [
  ['is:unread', 'search.unread', true],
  ['is:starred', 'search.starred', true],
  ['is:mentioned', 'search.mentioned', true],
  ['is:dm', 'search.private', true],
  ['is:followed', 'search.followed', true],
  ['is:resolved', 'search.resolved', true],
  ['is:muted', 'search.muted', true],
  ['has:link', 'search.links', true],
  ['has:attachment', 'search.attachments', true],
  ['has:image', 'search.images', true],
  ['has:reaction', 'search.reactions', true],
  ['sender:me', 'search.mine', true],
  ['stream:', 'search.inStream', false],
  ['topic:', 'search.inTopic', false],
  ['sender:', 'search.fromSender', false],
  ['dm:', 'search.withPerson', false],
  ['dm-including:', 'search.withPerson', false],
];

const MAX = 8;

export function suggestSearches(text: string): readonly Suggestion[] {
  const match = /^(.*?)(\S*:"[^"]*|\S*)$/s.exec(text)!;
  const before = match[1]!;
  const word = match[2]!;
  const bare = word.replace(/^-/, '');
  const minus = word.startsWith('-') ? '-' : '';
  const [name = '', ...rest] = bare.split(':');
  const operand = rest.join(':').replace(/^"/, '').toLowerCase();
  const found = rest.length > 0 ? operandsOf(name, operand) : wordsFor(bare);
  return found.slice(0, MAX).map((each) => ({ ...each, text: before + minus + each.text }));
}

function operandsOf(name: string, operand: string): Suggestion[] {
  const operator = operatorOf(name);
  if (operator === 'stream') {
    const streams = [...chat().streams.values()].filter((each) => each.name.toLowerCase().includes(operand));
    return streams.map((each) => ({ text: writeTerm(name, each.name), hint: each.description, isWhole: true }));
  }
  if (operator === 'topic') {
    const topics = [...chat().topics].flatMap(([id, list]) => list.map((topic) => ({ id, name: topic.name })));
    return topics
      .filter((each) => each.name.toLowerCase().includes(operand))
      .map((each) => ({
        text: writeTerm(name, each.name),
        hint: chat().streams.get(each.id)?.name ?? '',
        isWhole: true,
      }));
  }
  if (OF_PEOPLE.has(operator)) return [...fixed(`${name}:${operand}`), ...peopleLike(name, operand)];
  return fixed(`${name}:${operand}`);
}

const OF_PEOPLE: ReadonlySet<string> = new Set(['sender', 'pm-with', 'dm-including']);

/** Whole terms only: what is typed is already more than the name of an operator. */
function fixed(begin: string): Suggestion[] {
  return FIXED.filter(([term, , isWhole]) => isWhole && term.startsWith(begin)).map(asSuggestion);
}

/** The address of the person of this name, or of the only one whose name begins so. */
export function addressOf(name: string): string | undefined {
  if (name === '' || name === 'me' || /[@\d]/.test(name)) return undefined;
  const people = [...chat().people.values()];
  const wanted = name.toLowerCase();
  const [only, another] = people.filter((each) => each.full_name.toLowerCase().startsWith(wanted));
  const whole = people.find((each) => each.full_name.toLowerCase() === wanted);
  return (whole ?? (another ? undefined : only))?.email;
}

function peopleLike(name: string, operand: string): Suggestion[] {
  return [...chat().people.values()]
    .filter((each) => each.full_name.toLowerCase().includes(operand) || each.email.toLowerCase().startsWith(operand))
    .slice(0, MAX)
    .map((each) => ({ text: writeTerm(name, each.email), hint: each.full_name, isWhole: true }));
}

function wordsFor(word: string): Suggestion[] {
  const lower = word.toLowerCase();
  const known = FIXED.filter(([term]) => term.startsWith(lower)).map(asSuggestion);
  if (lower.length < 2) return known;
  return [...known, ...operandsOf('stream', lower).slice(0, 3), ...peopleLike('sender', lower).slice(0, 3)];
}

/** How many messages there are, where the page knows it. */
const COUNTS: Readonly<Record<string, () => number>> = {
  'is:unread': () => countsOf(chat()).total,
  'is:starred': () => chat().starred.size,
};

function asSuggestion([text, hint, isWhole]: (typeof FIXED)[number]): Suggestion {
  const count = COUNTS[text]?.() ?? 0;
  return { text, hint: count > 0 ? `${t(hint)} (${count})` : t(hint), isWhole };
}
