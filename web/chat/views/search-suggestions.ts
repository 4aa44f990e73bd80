/** Suggestions for the last word of a search. */
import { t, type TextKey } from '../../shared/texts/texts';
import { operatorOf, writeTerm } from '../data/search-terms';
import type { FoundTopic } from '../topics/find-topics';
import { chat, FOLLOWED, isTopicMuted, topicKey } from '../data/store';
import { aboutOf } from '../recent/last-words';
import { isResolved } from '../topics/resolved';
import type { Person } from '../data/wire';
import { countOf, privateConversation, streamConversation } from '../data/unread';
import { countsOf } from '../side/unread-total';

interface Suggestion {
  readonly text: string;
  readonly hint: string;
  /** Whether the suggestion is complete; otherwise the user must type an operand. */
  readonly isWhole: boolean;
  /** Whom the text means: shown in place of the address in it. */
  readonly person?: Person;
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
  ['date:today', 'search.fromToday', true],
  ['date:yesterday', 'search.fromYesterday', true],
  ['stream:', 'search.inStream', false],
  ['topic:', 'search.inTopic', false],
  ['sender:', 'search.fromSender', false],
  ['dm:', 'search.withPerson', false],
  ['dm-including:', 'search.withPerson', false],
  ['date:', 'search.fromDate', false],
];

const MAX = 8;

/** The part of a search that is being typed, what precedes it, and its operator. */
function lastWord(text: string) {
  const match = /^(.*?)(\S*:"[^"]*|\S*)$/s.exec(text)!;
  const before = match[1]!;
  const word = match[2]!;
  const bare = word.replace(/^-/, '');
  const minus = word.startsWith('-') ? '-' : '';
  const [name = '', ...rest] = bare.split(':');
  const operand = rest.join(':').replace(/^"/, '').toLowerCase();
  return { before, bare, minus, name, operand, hasOperator: rest.length > 0 };
}

/** The words by which topics are found. */
export function topicWords(text: string): string {
  const { bare, name, operand, hasOperator } = lastWord(text);
  if (!hasOperator) return bare;
  return operatorOf(name) === 'topic' ? operand : '';
}

/** `topics` are found among those that this page has not loaded. */
export function suggestSearches(text: string, topics: readonly FoundTopic[]): readonly Suggestion[] {
  const { before, bare, minus, name, operand, hasOperator } = lastWord(text);
  const found = hasOperator ? operandsOf(name, operand, topics) : wordsFor(bare, topics);
  return found.slice(0, MAX).map((each) => ({ ...each, text: before + minus + each.text }));
}

function operandsOf(name: string, operand: string, found: readonly FoundTopic[]): Suggestion[] {
  const operator = operatorOf(name);
  if (operator === 'stream') {
    const streams = [...chat().streams.values()].filter((each) => each.name.toLowerCase().includes(operand));
    const { streams: counts } = countsOf(chat());
    return streams.map((each) => ({
      text: writeTerm(name, each.name),
      hint: counted(aboutOf(each), counts.get(each.stream_id)),
      isWhole: true,
    }));
  }
  if (operator === 'topic') return topicsLike(operand, found).map((each) => ofTopic(each, writeTerm(name, each.name)));
  if (OF_PEOPLE.has(operator)) return [...fixed(`${name}:${operand}`), ...peopleLike(name, operand)];
  return fixed(`${name}:${operand}`);
}

function topicsLike(words: string, found: readonly FoundTopic[]): FoundTopic[] {
  const loaded = [...chat().topics].flatMap(([streamId, list]) => list.map(({ name }) => ({ streamId, name })));
  const all = new Map([...loaded, ...found].map((each) => [topicKey(each.streamId, each.name), each]));
  return [...all.values()].filter((each) => each.name.toLowerCase().includes(words));
}

function ofTopic({ streamId, name }: FoundTopic, text: string): Suggestion {
  const count = countOf(chat().unread, streamConversation(streamId, name));
  return { text, hint: counted(chat().streams.get(streamId)?.name ?? '', count), isWhole: true };
}

const counted = (hint: string, count = 0): string =>
  count === 0 ? hint : [hint, t('search.unreadCount', { count })].filter(Boolean).join(' · ');

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
  const { people, mutedUsers } = chat();
  return [...people.values()]
    .filter(({ user_id: id }) => !mutedUsers.has(id))
    .filter((each) => each.full_name.toLowerCase().includes(operand) || each.email.toLowerCase().startsWith(operand))
    .slice(0, MAX)
    .map((each) => {
      const isPrivate = operatorOf(name) === 'pm-with';
      const count = isPrivate ? countOf(chat().unread, privateConversation([each.user_id])) : 0;
      return { text: writeTerm(name, each.email), hint: counted('', count), isWhole: true, person: each };
    });
}

/** A topic of another stream may have the same name. */
const wholeTopic = (topic: FoundTopic): Suggestion =>
  ofTopic(
    topic,
    `${writeTerm('stream', chat().streams.get(topic.streamId)?.name ?? '')} ${writeTerm('topic', topic.name)}`,
  );

function wordsFor(word: string, topics: readonly FoundTopic[]): Suggestion[] {
  const lower = word.toLowerCase();
  const known = FIXED.filter(([term]) => term.startsWith(lower)).map(asSuggestion);
  if (lower.length < 2) return known;
  return [
    ...known,
    ...operandsOf('stream', lower, topics).slice(0, 3),
    ...topicsLike(lower, topics).slice(0, 3).map(wholeTopic),
    ...peopleLike('sender', lower).slice(0, 3),
    ...peopleLike('dm', lower).slice(0, 3),
  ];
}

/** How many messages are unread in these topics. */
function unreadIn(isMeant: (key: string) => boolean): number {
  let sum = 0;
  for (const [conversation, ids] of chat().unread.messagesIn)
    if (conversation.startsWith('s:') && isMeant(conversation.slice(2))) sum += ids.size;
  return sum;
}

/** How many unread messages there are, where the page knows it. */
const COUNTS: Readonly<Record<string, () => number>> = {
  'is:unread': () => countsOf(chat()).total,
  'is:dm': () => countsOf(chat()).privates,
  'is:mentioned': () => chat().unread.mentions.size,
  'is:followed': () => unreadIn((key) => chat().userTopics.get(key)?.visibility_policy === FOLLOWED),
  'is:muted': () => unreadIn((key) => isTopicMuted(chat(), Number(key.split(':')[0]), key)),
  'is:resolved': () => unreadIn((key) => isResolved(key.slice(key.indexOf(':') + 1))),
};

function asSuggestion([text, hint, isWhole]: (typeof FIXED)[number]): Suggestion {
  if (text !== 'is:starred') return { text, hint: counted(t(hint), COUNTS[text]?.()), isWhole };
  return { text, hint: `${t(hint)} · ${t('search.messageCount', { count: chat().starred.size })}`, isWhole };
}
