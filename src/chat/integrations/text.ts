/** Pieces of text of services' messages. */
import { cutContent, cutTopic } from '../model/messages/draft';

/** A link in a message; the text alone if the service gives no address. */
export const linkTo = (text: string, url: string): string => (url === '' ? text : `[${text}](${url})`);

/** The parts that are not empty. */
export const joined = (parts: readonly string[], separator: string): string =>
  parts.filter((part) => part !== '').join(separator);

/** From milliseconds, in UTC. */
export function isoOf(milliseconds: string): string {
  const moment = new Date(Number(milliseconds));
  return milliseconds.trim() === '' || Number.isNaN(moment.getTime()) ? milliseconds : moment.toISOString();
}

/** From seconds: "2019-11-01 12:00:00 UTC". */
export function secondOf(seconds: string): string {
  const moment = new Date(Number(seconds) * 1000);
  if (seconds.trim() === '' || Number.isNaN(moment.getTime())) return seconds;
  return `${moment.toISOString().replace('T', ' ').slice(0, -5)} UTC`;
}

/** Cuts a service's text to fit into a message. The cut is marked, and a delivery never fails for its length. */
export const shortenTopic = (topic: string): string =>
  cutTopic(topic.replaceAll('\0', '').replace(/\s+/g, ' ').trim()) || '(no topic)';

export const shortenContent = (content: string): string =>
  cutContent(content.replaceAll('\0', '').trimEnd() || '(empty)');
