/** A narrow with resolved names, and whether a message matches it. */
import type { FlagName } from '../messages/message';
import { isMutedBy, type TopicPolicies, type TopicPolicy } from '../streams/topic-policy';
import { hasFlag, hasReceived, isUnread, type MessageRef, type Marks, type ReadState } from './read-state';

export type Condition =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'recipients'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'topics'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'sender'; readonly id: number }
  | { readonly kind: 'private' }
  | { readonly kind: 'unread' }
  /** Any of these flags. */
  | { readonly kind: 'flags'; readonly flags: readonly FlagName[] }
  | { readonly kind: 'trait'; readonly trait: number; readonly word: string }
  | { readonly kind: 'muted'; readonly mutedPlaces: ReadonlySet<number>; readonly policies: TopicPolicies }
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'word'; readonly word: string };

/** What is looked up for each message: whether somebody reacted to it, and whether its topic is resolved. */
export type Fact = 'reaction' | 'resolved';

/** How the name of a resolved topic begins, as Zulip writes it. */
export const RESOLVED = '\u2714 ';

export interface Test {
  readonly condition: Condition;
  readonly negated: boolean;
}

export interface Narrow {
  readonly tests: readonly Test[];
  /** Streams whose messages are all visible, received or not. */
  readonly history: ReadonlySet<number>;
  /** To be found verbatim, case-insensitively. */
  readonly phrases: readonly string[];
  /** To be highlighted in the results. */
  readonly words: ReadonlySet<string>;
}

/** Further data that a decision needs. */
export interface Knowledge {
  readonly state: ReadState;
  readonly marks: Marks;
  /** Which of the searched words each message contains. */
  readonly words: ReadonlyMap<number, ReadonlySet<string>>;
  /** The requested facts that are true of each message. */
  readonly facts: ReadonlyMap<number, ReadonlySet<Fact>>;
}

export const isVisible = (state: ReadState, narrow: Narrow, ref: MessageRef): boolean =>
  hasReceived(state, ref) || narrow.history.has(ref.recipientId);

export function matches(narrow: Narrow, ref: MessageRef, knowledge: Knowledge): boolean {
  return narrow.tests.every(({ condition, negated }) => holds(condition, ref, knowledge) !== negated);
}

function holds(condition: Condition, ref: MessageRef, { state, marks, words, facts }: Knowledge): boolean {
  if (isSaying(condition)) return isSaidOf(condition, ref, { words, facts });
  switch (condition.kind) {
    case 'id':
      return ref.id === condition.id;
    case 'recipients':
      return condition.ids.has(ref.recipientId);
    case 'topics':
      return isIn(condition.ids, ref.topicId);
    case 'sender':
      return ref.senderId === condition.id;
    case 'private':
      return ref.topicId === null;
    case 'unread':
      return isUnread(state, ref, marks);
    case 'flags':
      return condition.flags.some((flag) => hasFlag(state, ref, marks, flag));
    case 'muted':
      return isMutedBy(policyOf(condition.policies, ref), condition.mutedPlaces.has(ref.recipientId));
  }
}

/** Conditions on what is in a message, or was added to it. */
type Saying = Extract<Condition, { kind: 'trait' | 'fact' | 'word' }>;
const SAYINGS: ReadonlySet<Condition['kind']> = new Set<Saying['kind']>(['trait', 'fact', 'word']);
const isSaying = (condition: Condition): condition is Saying => SAYINGS.has(condition.kind);

function isSaidOf(condition: Saying, ref: MessageRef, { words, facts }: Pick<Knowledge, 'words' | 'facts'>): boolean {
  switch (condition.kind) {
    case 'trait':
      return (ref.traits & condition.trait) !== 0;
    case 'fact':
      return facts.get(ref.id)?.has(condition.fact) ?? false;
    case 'word':
      return hasWord(words.get(ref.id), condition.word);
  }
}

const hasWord = (words: ReadonlySet<string> | undefined, word: string): boolean => words?.has(word) ?? false;

const policyOf = (policies: TopicPolicies, { topicId }: MessageRef): TopicPolicy | undefined =>
  topicId === null ? undefined : policies.get(topicId);

const isIn = (ids: ReadonlySet<number>, id: number | null): boolean => id !== null && ids.has(id);

export const needsMarks = (narrow: Narrow): boolean =>
  narrow.tests.some(({ condition: { kind } }) => kind === 'unread' || kind === 'flags');

/** The words that messages of the narrow must or must not contain. */
export const soughtWords = ({ tests }: Narrow): string[] =>
  tests.flatMap(({ condition }) => (condition.kind === 'word' ? [condition.word] : []));

export const soughtFacts = ({ tests }: Narrow): Fact[] =>
  tests.flatMap(({ condition }) => (condition.kind === 'fact' ? [condition.fact] : []));

/** Pseudo-words in the search table. No real word contains a colon. */
export const TRAIT_WORDS = {
  link: 'has:link',
  image: 'has:image',
  attachment: 'has:attachment',
  wildcard: 'is:wildcard',
};
