/** Most messages hold no markup at all; those need no parser. */
import { escapeText } from './html';

/**
 * Anything that some rule could look at: signs of markup, a full stop or colon inside a word, what opens a list or
 * code at the start of a line, and the ranges in which emoji lie.
 */
const MARKUP =
  // oxlint-disable-next-line no-control-regex -- NUL is replaced by the parser
  /\u200d|\u20e3|[\u0000\r\t*`~#>[@$|&\u203c\u2049\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83e]|[.:](?![.\s]|$)|^(?: {4}| *(?:[-+_]|\d+\.))/m;

/** The text's paragraphs, or undefined where there may be markup in it. */
export function plainParagraphs(content: string): readonly string[] | undefined {
  if (MARKUP.test(content)) return undefined;
  const text = content.trim();
  if (text === '') return [];
  return text.includes('\n') ? text.split(/\n(?: *\n)+/).map((paragraph) => paragraph.trim()) : [text];
}

export const renderPlain = (paragraphs: readonly string[]): string =>
  paragraphs.map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n');
