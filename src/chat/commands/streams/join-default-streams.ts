/** Subscribes a new user to streams: the default ones, or those named in an invitation. */
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Stream, StreamId } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import { findGroupStreams } from '../../queries/streams/list-stream-groups';
import * as streams from '../../store/streams/streams';
import * as accounts from '../../store/users/accounts';
import { addSubscribers } from './add-subscribers';

/** Includes the streams of the chosen groups. */
export async function joinDefaultStreams(
  tx: Tx,
  kernel: Kernel,
  user: User,
  groupNames: readonly string[] = [],
): Promise<void> {
  const chosen = await findGroupStreams(tx.db, user.realmId, groupNames);
  const defaults = (await streams.defaults(tx.db, user.realmId)).map(({ id }) => id);
  const ids = [...new Set([...defaults, ...chosen])];
  const choose = (open: readonly Stream[]) => Promise.resolve(open.filter(({ isPrivate }) => !isPrivate));
  await joinStreams(tx, kernel, user, { ids, choose });
}

export interface Wanted {
  readonly ids: readonly StreamId[];
  /** Selects the streams to join. Called once they are locked. */
  readonly choose: (open: readonly Stream[]) => Promise<readonly Stream[]>;
}

export async function joinStreams(tx: Tx, kernel: Kernel, user: User, { ids, choose }: Wanted): Promise<void> {
  if (ids.length === 0) return;
  await streams.lockForAudience(tx.db, ids);
  // Read under the lock: a stream may have been closed meanwhile.
  const open = await choose(await streams.byIds(tx.db, user.realmId, ids));
  await addSubscribers(tx, kernel, {
    realmId: user.realmId,
    streams: open,
    created: [],
    users: new Map([[user.id, {}]]),
    roles: await accounts.activeRoles(tx.db, user.realmId),
    colors: new Map(),
  });
}
