/** Subscribes somebody new to the streams that everybody begins with. */
import type { Kernel } from '../../kernel/kernel';
import type { Tx } from '../../kernel/mysql/transaction';
import type { User } from '../model/user';
import * as accounts from '../store/accounts';
import * as streams from '../store/streams';
import { addSubscribers } from './add-subscribers';

export async function joinDefaultStreams(tx: Tx, kernel: Kernel, user: User): Promise<void> {
  const ids = (await streams.defaults(tx.db, user.realmId)).map(({ id }) => id);
  if (ids.length === 0) return;
  await streams.lockForAudience(tx.db, ids);
  // As they are now that they are locked: one may have been closed meanwhile.
  const open = (await streams.byIds(tx.db, user.realmId, ids)).filter(({ isPrivate }) => !isPrivate);
  await addSubscribers(tx, kernel, {
    realmId: user.realmId,
    streams: open,
    created: [],
    users: new Map([[user.id, {}]]),
    roles: await accounts.activeRoles(tx.db, user.realmId),
    colors: new Map(),
  });
}
