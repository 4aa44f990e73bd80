/** Slack's attachments: older than its blocks, and still what most programs send. All fields are optional or null. */
import type { Payload } from '../payload';
import { secondOf } from '../time-text';
import { blocksOf, heading } from './blocks';
import { linked, picture } from './links';
import { markdownOf, unescaped } from './mrkdwn';

/** In the order in which Slack shows the parts. The fallback is for clients that cannot show any. */
export function attachmentText(part: Payload): string {
  const read = (key: string): string => part.textOr(key, '');
  const parts = [
    markdownOf(read('pretext')),
    linked(unescaped(read('author_name')), read('author_link')),
    heading(linked(unescaped(read('title')), read('title_link'))),
    markdownOf(read('text')),
    fieldsText(part),
    ...blocksOf(part),
    picture('', read('image_url') || read('thumb_url')),
    unescaped(read('footer')),
    timeText(read('ts')),
  ].map((text) => text.trim());
  return parts.filter((text) => text !== '').join('\n\n') || unescaped(read('fallback'));
}

function fieldsText(part: Payload): string {
  return part
    .presentIn('fields')
    .map((field) => {
      const [title, value] = [unescaped(field.textOr('title', '')).trim(), markdownOf(field.textOr('value', ''))];
      const name = title === '' ? '' : `**${title}**`;
      return name === '' || value === '' ? name + value : `${name}: ${value}`;
    })
    .filter((line) => line !== '')
    .join('\n');
}

const timeText = (seconds: string): string => (Number(seconds) === 0 ? '' : secondOf(seconds));
