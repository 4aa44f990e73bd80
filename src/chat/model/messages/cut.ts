/** Truncates topics and content that are too long, and marks them as truncated. */
import { MAX_CONTENT_BYTES, MAX_TOPIC_CHARACTERS } from './message';

/** Zulip's markers. */
const CUT_TOPIC = '...';
const CUT_CONTENT = '\n[message truncated]';

export function cutTopic(topic: string): string {
  if (topic.length <= MAX_TOPIC_CHARACTERS) return topic;
  const characters = Array.from(topic);
  if (characters.length <= MAX_TOPIC_CHARACTERS) return topic;
  return characters.slice(0, MAX_TOPIC_CHARACTERS - CUT_TOPIC.length).join('') + CUT_TOPIC;
}

export function cutContent(content: string): string {
  if (Buffer.byteLength(content) <= MAX_CONTENT_BYTES) return content;
  const room = MAX_CONTENT_BYTES - Buffer.byteLength(CUT_CONTENT);
  // Half a character decodes to U+FFFD, which is removed.
  const kept = Buffer.from(content)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return kept + CUT_CONTENT;
}
