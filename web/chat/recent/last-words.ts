/** Formatted text in a line: the last message of a conversation, without what is hidden in it, and what a stream is for. */
import { t } from '../../shared/texts/texts';
import type { Message, Stream } from '../data/wire';
import { safeNodes } from '../message/safe-html';
import { widgetOf, type Widget } from '../widgets/widget-data';

const MAX_LENGTH = 140;
/** The drawing of a formula repeats its source; a name beside a picture is that of its file. */
const LEFT_OUT = '.spoiler-content, .katex-html, .message_inline_image, .message_embed';

export function lastWords(message: Message): string {
  const widget = widgetOf(message);
  if (widget) return nameOf(widget).slice(0, MAX_LENGTH);
  const nodes = safeNodes(message.content);
  const hasPicture = nodes.querySelector('.message_inline_image') !== null;
  const words = inLine(nodes).slice(0, MAX_LENGTH);
  return words === '' && hasPicture ? t('message.picture') : words;
}

/** The text of a widget's message is the command that made it. */
function nameOf(widget: Widget): string {
  if (widget.kind === 'form') return widget.heading;
  if (widget.kind === 'todo') return t('todo.title');
  return widget.question === '' ? t('format.poll') : t('poll.label', { question: widget.question });
}

function inLine(nodes: DocumentFragment): string {
  for (const each of nodes.querySelectorAll(LEFT_OUT)) each.remove();
  return (nodes.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** What a stream is for, in a line without Markdown. */
export const aboutOf = ({ rendered_description: html }: Pick<Stream, 'rendered_description'>): string =>
  inLine(safeNodes(html));
