/** Formatted text in a line: the last message of a conversation, without what is hidden in it, and what a stream is for. */
import { t } from '../../shared/texts/texts';
import type { Message, Stream } from '../data/wire';
import { safeNodes } from '../message/safe-html';

const MAX_LENGTH = 140;
/** The drawing of a formula repeats its source; a name beside a picture is that of its file. */
const LEFT_OUT = '.spoiler-content, .katex-html, .message_inline_image, .message_embed';

export function lastWords({ content }: Pick<Message, 'content'>): string {
  const nodes = safeNodes(content);
  const hasPicture = nodes.querySelector('.message_inline_image') !== null;
  const words = inLine(nodes).slice(0, MAX_LENGTH);
  return words === '' && hasPicture ? t('message.picture') : words;
}

function inLine(nodes: DocumentFragment): string {
  for (const each of nodes.querySelectorAll(LEFT_OUT)) each.remove();
  return (nodes.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** What a stream is for, in a line without Markdown. */
export const aboutOf = ({ rendered_description: html }: Pick<Stream, 'rendered_description'>): string =>
  inLine(safeNodes(html));
