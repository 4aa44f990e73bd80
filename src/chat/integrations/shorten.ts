/** Cuts a service's text to fit into a message. The cut is marked, and a delivery never fails for its length. */
import { cutContent, cutTopic } from '../model/messages/cut';

export const shortenTopic = (topic: string): string =>
  cutTopic(topic.replaceAll('\0', '').replace(/\s+/g, ' ').trim()) || '(no topic)';

export const shortenContent = (content: string): string =>
  cutContent(content.replaceAll('\0', '').trimEnd() || '(empty)');
