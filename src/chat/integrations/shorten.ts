/** Makes what a service wrote fit into a message; a person is told that something is missing, a service never fails. */
import { MOST_CONTENT_BYTES, MOST_TOPIC_CHARACTERS } from '../model/message';

const CUT_TOPIC = '...';
const CUT_CONTENT = '\n[message truncated]';

export function shortenTopic(topic: string): string {
  const characters = Array.from(topic.replaceAll('\0', '').replace(/\s+/g, ' ').trim());
  if (characters.length === 0) return '(no topic)';
  if (characters.length <= MOST_TOPIC_CHARACTERS) return characters.join('');
  return characters.slice(0, MOST_TOPIC_CHARACTERS - CUT_TOPIC.length).join('') + CUT_TOPIC;
}

export function shortenContent(content: string): string {
  const whole = content.replaceAll('\0', '').trimEnd() || '(empty)';
  if (Buffer.byteLength(whole) <= MOST_CONTENT_BYTES) return whole;
  const room = MOST_CONTENT_BYTES - Buffer.byteLength(CUT_CONTENT);
  // A character cut in half decodes to a replacement mark, which goes.
  const kept = Buffer.from(whole)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return kept + CUT_CONTENT;
}
