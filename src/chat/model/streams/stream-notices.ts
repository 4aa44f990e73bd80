/** The server's notices about streams, with Zulip's wording. */
import type { User } from '../users/user';

type Actor = Pick<User, 'id' | 'fullName'>;

/** A mention that does not notify. */
const silently = ({ fullName, id }: Actor): string => `@_**${fullName}|${id}**`;
const linked = (name: string): string => `#**${name}**`;

export const streamCreated = (by: Actor): string => `Stream created by ${silently(by)}.`;

export const newStreams = (by: Actor, names: readonly string[]): string =>
  names.length === 1
    ? `${silently(by)} created a new stream ${linked(names[0]!)}.`
    : `${silently(by)} created the following streams: ${names.map(linked).join(', ')}.`;

export const renamedStream = (by: Actor, { from, to }: { from: string; to: string }): string =>
  `${silently(by)} renamed stream **${from}** to **${to}**.`;

export function subscribedYou({ fullName }: Actor, names: readonly string[]): string {
  const sorted = [...names].sort((a, b) => (a < b ? -1 : 1));
  if (sorted.length === 1) return `@**${fullName}** subscribed you to the stream ${linked(sorted[0]!)}.`;
  const list = sorted.map((name) => `* ${linked(name)}`).join('\n');
  return `@**${fullName}** subscribed you to the following streams:\n\n${list}`;
}
