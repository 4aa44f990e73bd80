/** The last message of a conversation in a line: its text, without what is hidden in it. */
import { t } from '../../shared/texts/texts';
import type { Message } from '../data/wire';
import { safeNodes } from '../message/safe-html';

const MAX_LENGTH = 140;
/** The drawing of a formula repeats its source; a name beside a picture is that of its file. */
const LEFT_OUT = '.spoiler-content, .katex-html, .message_inline_image, .message_embed';

export function lastWords({ content }: Pick<Message, 'content'>): string {
  const nodes = safeNodes(content);
  const hasPicture = nodes.querySelector('.message_inline_image') !== null;
  for (const each of nodes.querySelectorAll(LEFT_OUT)) each.remove();
  const words = (nodes.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
  return words === '' && hasPicture ? t('message.picture') : words;
}
