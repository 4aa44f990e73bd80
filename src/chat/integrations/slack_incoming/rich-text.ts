/** Rich text blocks: what Slack's own editor writes, and some programs send. */
import { quote } from '../git-text';
import { lookUp } from '../look-up';
import type { Payload } from '../payload';
import { linked } from './links';
import { EVERYBODY } from './mrkdwn';

export const richText = (block: Payload): string =>
  block
    .presentIn('elements')
    .map((part) => richPart(part).replace(/^\n+/, '').trimEnd())
    .filter((part) => part !== '')
    .join('\n\n');

function richPart(part: Payload): string {
  switch (part.textOr('type', '')) {
    case 'rich_text_list':
      return list(part);
    case 'rich_text_preformatted':
      return fenced(spans(part, plainSpan));
    case 'rich_text_quote':
      return quote(spans(part, span));
    default:
      return spans(part, span);
  }
}

/** The fence is longer than any inside, so that the text cannot close it. */
function fenced(text: string): string {
  let fence = '```';
  for (const [inside] of text.matchAll(/`{3,}/g)) if (inside.length >= fence.length) fence = `${inside}\``;
  return `${fence}\n${text}\n${fence}`;
}

const spans = (part: Payload, of: (element: Payload) => string): string => part.presentIn('elements').map(of).join('');

function list(part: Payload): string {
  const indent = '  '.repeat(Math.min(Math.max(Number(part.textOr('indent', '0')) || 0, 0), 8));
  const isOrdered = part.textOr('style', '') === 'ordered';
  return part
    .presentIn('elements')
    .map((item, index) => `${indent}${isOrdered ? `${index + 1}.` : '*'} ${spans(item, span)}`)
    .join('\n');
}

const written: Readonly<Record<string, (element: Payload) => string>> = {
  text: (element) => element.textOr('text', ''),
  link: (element) => linked(element.textOr('text', element.textOr('url', '')), element.textOr('url', '')),
  emoji: (element) => `:${element.textOr('name', '')}:`,
  user: (element) => `@${element.textOr('user_id', '')}`,
  usergroup: (element) => `@${element.textOr('usergroup_id', '')}`,
  channel: (element) => `#${element.textOr('channel_id', '')}`,
  broadcast: () => EVERYBODY,
  date: (element) => element.textOr('fallback', ''),
  color: (element) => element.textOr('value', ''),
};

const plainSpan = (element: Payload): string => element.textOr('text', element.textOr('url', ''));

const MARKS: readonly (readonly [string, string])[] = [
  ['code', '`'],
  ['strike', '~~'],
  ['italic', '*'],
  ['bold', '**'],
];

/** Marks must touch the words, so the space around them stays outside. */
function span(element: Payload): string {
  const text = lookUp(written, element.textOr('type', ''))?.(element) ?? '';
  const words = text.trim();
  const style = element.objectOr('style');
  const marks = words === '' ? [] : MARKS.filter(([name]) => style.isTrue(name)).map(([, mark]) => mark);
  const marked = marks.reduce((inner, mark) => `${mark}${inner}${mark}`, words);
  return marks.length === 0 ? text : text.replace(words, () => marked);
}
