/** Selects the outgoing messages that are shown below a view. */
import { messageById } from './messages';
import { keyOf, type Narrow } from './narrow';
import type { Outgoing } from './outbox';

function belongs(entry: Outgoing, narrow: Narrow): boolean {
  const { type, to, topic } = entry;
  if (narrow.kind === 'all') return true;
  if (narrow.kind === 'privates') return type === 'private';
  if (narrow.kind === 'private') return type === 'private' && to.join() === narrow.userIds.join();
  if (narrow.kind === 'stream') return type === 'stream' && to[0] === narrow.streamId;
  return narrow.kind === 'topic' && keyOf({ kind: 'topic', streamId: to[0] ?? 0, topic }) === keyOf(narrow);
}

export const pendingIn = (narrow: Narrow, entries: readonly Outgoing[]): readonly Outgoing[] =>
  entries.filter((entry) => belongs(entry, narrow) && !(entry.id && messageById(entry.id)));
