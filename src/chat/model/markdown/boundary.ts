/** Where names and links may begin and end within text, and what matches there. */

const OPENERS = new Set([' ', '\t', '\n', '\r', "'", '"', '(', ',', ':', '<']);

/** At the start, or after white space, a quote, a parenthesis, a comma, a colon or `<`. */
export const mayBegin = (text: string, position: number): boolean => {
  if (position === 0) return true;
  const before = text[position - 1]!;
  return OPENERS.has(before) || (before > '\x7f' && /\s/.test(before));
};

const WORD = /[\p{L}\p{N}_]/u;

/** Python's definition of a word character, which covers every script. */
export const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && WORD.test(character);

/** The match of a sticky pattern at this position. Afterwards, `lastIndex` is its end. */
export function execAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
