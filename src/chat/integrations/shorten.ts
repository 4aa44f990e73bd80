/** Makes what a service wrote fit into a message; a person is told that something is missing, a service never fails. */
import { cutContent, cutTopic } from '../model/messages/cut';

export const shortenTopic = (topic: string): string =>
  cutTopic(topic.replaceAll('\0', '').replace(/\s+/g, ' ').trim()) || '(no topic)';

export const shortenContent = (content: string): string =>
  cutContent(content.replaceAll('\0', '').trimEnd() || '(empty)');
