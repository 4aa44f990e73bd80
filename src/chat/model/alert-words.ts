/** Words that somebody wants to hear of wherever they are said. */
import type { UserId } from './user';

export interface AlertWord {
  readonly userId: UserId;
  readonly word: string;
}

/** What may stand before and after a word, as on the real server; besides blanks and the ends of the text. */
const BEFORE = new Set('(".,\';[*`>');
const AFTER = new Set(')"?:.,\';]!*`');

/** Whose words stand in the text, as words and in any case. */
export function alertedUsers(text: string, words: readonly AlertWord[]): UserId[] {
  if (words.length === 0) return [];
  const lower = text.toLowerCase();
  const found = new Set<UserId>();
  for (const { userId, word } of words) if (!found.has(userId) && holds(lower, word.toLowerCase())) found.add(userId);
  return [...found];
}

function holds(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isEdge(text[at - 1], BEFORE) && isEdge(text[at + word.length], AFTER)) return true;
  }
  return false;
}

const isEdge = (character: string | undefined, signs: ReadonlySet<string>): boolean =>
  character === undefined || /\s/.test(character) || signs.has(character);
