/** Most messages contain no markup and need no parser. */
import { escapeText } from './html';

/**
 * Anything that a rule could match: markup characters, a full stop or colon inside a word, the start of a list or code
 * line, and the ranges of emoji.
 */
const MARKUP =
  // oxlint-disable-next-line no-control-regex -- the parser replaces NUL
  /\u200d|\u20e3|[\u0000\r\t*`~#>[@$|&\u203c\u2049\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83e]|[.:](?![.\s]|$)|^(?: {4}| *(?:[-+_]|\d+\.))/m;

/** The text's paragraphs; undefined if it may contain markup. */
export function plainParagraphs(content: string): readonly string[] | undefined {
  if (MARKUP.test(content)) return undefined;
  const text = content.trim();
  if (text === '') return [];
  return text.includes('\n') ? text.split(/\n(?: *\n)+/).map((paragraph) => paragraph.trim()) : [text];
}

export const renderPlain = (paragraphs: readonly string[]): string =>
  paragraphs.map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n');
