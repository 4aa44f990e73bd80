/** Suggestions for the last word of a search. */
import { t, type TextKey } from '../../shared/texts/texts';
import { writeTerm } from '../data/search-terms';
import { chat } from '../data/store';

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
  ['is:private', 'search.private', true],
  ['has:link', 'search.links', true],
  ['has:attachment', 'search.attachments', true],
  ['has:image', 'search.images', true],
  ['stream:', 'search.inStream', false],
  ['topic:', 'search.inTopic', false],
  ['sender:', 'search.fromSender', false],
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
  if (name === 'stream') {
    const streams = [...chat().streams.values()].filter((each) => each.name.toLowerCase().includes(operand));
    return streams.map((each) => ({ text: writeTerm('stream', each.name), hint: each.description, isWhole: true }));
  }
  if (name === 'topic') {
    const topics = [...chat().topics].flatMap(([id, list]) => list.map((topic) => ({ id, name: topic.name })));
    return topics
      .filter((each) => each.name.toLowerCase().includes(operand))
      .map((each) => ({
        text: writeTerm('topic', each.name),
        hint: chat().streams.get(each.id)?.name ?? '',
        isWhole: true,
      }));
  }
  if (name === 'sender' || name === 'from' || name === 'pm-with') return peopleLike(name, operand);
  return FIXED.filter(([term]) => term.startsWith(`${name}:${operand}`)).map(asSuggestion);
}

function peopleLike(name: string, operand: string): Suggestion[] {
  return [...chat().people.values()]
    .filter((each) => each.full_name.toLowerCase().includes(operand) || each.email.toLowerCase().startsWith(operand))
    .slice(0, MAX)
    .map((each) => ({ text: writeTerm(name, each.email), hint: each.full_name, isWhole: true }));
}

function wordsFor(word: string): Suggestion[] {
  const lower = word.toLowerCase();
  const fixed = FIXED.filter(([term]) => term.startsWith(lower)).map(asSuggestion);
  if (lower.length < 2) return fixed;
  return [...fixed, ...operandsOf('stream', lower).slice(0, 3), ...peopleLike('sender', lower).slice(0, 3)];
}

const asSuggestion = ([text, hint, isWhole]: (typeof FIXED)[number]): Suggestion => ({ text, hint: t(hint), isWhole });
