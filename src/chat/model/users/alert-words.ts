/** Finds users' alert words in messages. */
import { groupBy } from '../../../kernel/group';
import type { UserId } from './user';

export interface AlertWord {
  readonly userId: UserId;
  readonly word: string;
}

interface Wanted {
  readonly word: string;
  readonly userIds: readonly UserId[];
}

/** Words by their first run without punctuation, so that a message is compared only with words it may contain. */
export type AlertIndex = ReadonlyMap<string, readonly Wanted[]>;

/** Punctuation that may precede and follow a word, as in Zulip, besides white space and the ends of the text. */
const BEFORE = new Set('(".,\';[*`>');
const AFTER = new Set(')"?:.,\';]!*`');
const SIGNS = /[\s()"?:.,';[\]!*`>]+/;

export function indexAlertWords(words: readonly AlertWord[]): AlertIndex {
  const byWord = groupBy(words, ({ word }) => word.toLowerCase());
  byWord.delete('');
  const wanted = [...byWord].map(([word, some]) => ({ word, userIds: some.map(({ userId }) => userId) }));
  return groupBy(wanted, ({ word }) => word.split(SIGNS, 1)[0] ?? '');
}

/** The users whose alert words occur in the text, as whole words and case-insensitively. */
export function alertedUsers(text: string, index: AlertIndex): UserId[] {
  if (index.size === 0) return [];
  const lower = text.toLowerCase();
  const found = new Set<UserId>();
  // Words that begin with punctuation have an empty first run.
  for (const segment of new Set([...lower.split(SIGNS), ''])) {
    for (const { word, userIds } of index.get(segment) ?? []) {
      if (holds(lower, word)) for (const userId of userIds) found.add(userId);
    }
  }
  return [...found];
}

function holds(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isEdge(text[at - 1], BEFORE) && isEdge(text[at + word.length], AFTER)) return true;
  }
  return false;
}

const isEdge = (character: string | undefined, signs: ReadonlySet<string>): boolean =>
  character === undefined || /\s/.test(character) || signs.has(character);
