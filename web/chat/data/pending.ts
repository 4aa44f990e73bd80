/** Selects the outgoing messages that are shown below a view. */
import { messageById } from './messages';
import { keyOf, type Narrow } from './narrow';
import type { Outgoing } from './outbox';

function belongs(entry: Outgoing, narrow: Narrow): boolean {
  switch (narrow.kind) {
    case 'all':
      return true;
    case 'privates':
      return entry.type === 'private';
    case 'private':
      return entry.type === 'private' && entry.to.join() === narrow.userIds.join();
    case 'stream':
      return entry.type === 'stream' && entry.to[0] === narrow.streamId;
    case 'topic':
      return keyOf({ kind: 'topic', streamId: entry.to[0] ?? 0, topic: entry.topic }) === keyOf(narrow);
    case 'mentions':
    case 'starred':
    case 'search':
      return false;
  }
}

export const pendingIn = (narrow: Narrow, entries: readonly Outgoing[]): readonly Outgoing[] =>
  entries.filter((entry) => belongs(entry, narrow) && !(entry.id && messageById(entry.id)));
