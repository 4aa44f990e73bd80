/** Slack's layout blocks. Buttons and other controls have no counterpart in a message. */
import type { Payload } from '../payload';
import { linked, picture } from './links';
import { markdownOf, unescaped } from './mrkdwn';
import { richText } from './rich-text';

export const blocksOf = (part: Payload): string[] => part.presentIn('blocks').map((block) => blockText(block).trim());

function blockText(block: Payload): string {
  switch (block.textOr('type', '')) {
    case 'divider':
      return '----';
    case 'header':
      return heading(textOf(block, 'text'));
    case 'section':
      return section(block);
    case 'image':
      return image(block);
    case 'context':
      return context(block);
    case 'markdown':
      return textOf(block, 'text');
    case 'rich_text':
      return richText(block);
    case 'video':
      return linked(textOf(block, 'title'), block.textOr('title_url', block.textOr('video_url', '')));
    default:
      return '';
  }
}

export const heading = (text: string): string => (text === '' ? '' : `## ${text}`);

function section(block: Payload): string {
  const fields = block.presentIn('fields').map((field) => formatted(field));
  return lines([textOf(block, 'text', markdownOf), ...fields, image(block.objectOr('accessory'))]);
}

const context = (block: Payload): string =>
  lines(block.presentIn('elements').map((element) => image(element) || formatted(element)));

const lines = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

/** A link with the title, or else the alternative text. */
function image(block: Payload): string {
  if (block.textOr('type', '') !== 'image') return '';
  return picture(textOf(block, 'title') || block.textOr('alt_text', 'image'), block.textOr('image_url', ''));
}

type Read = (text: string) => string;

/** A text object. Some programs write its text instead. */
function textOf(block: Payload, key: string, read: Read = unescaped): string {
  if (!block.has(key)) return '';
  return block.isText(key) ? read(block.text(key)) : formatted(block.object(key), read);
}

/** A text object that says itself whether it has markup. */
function formatted(text: Payload, read: Read = markdownOf): string {
  const words = text.textOr('text', '');
  return text.textOr('type', '') === 'plain_text' ? unescaped(words) : read(words);
}
