/** Deactivates a stream and ends all its subscriptions, for administrators. */
import type { Kernel } from '../../../kernel/kernel';
import { onlookersOf } from '../../model/streams/stream-events';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as receptions from '../../store/streams/receptions';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { retireStream } from './retire-stream';
import { lockStreams, settleStreams } from './settle-streams';

export async function deactivateStream(kernel: Kernel, by: User, streamId: number): Promise<void> {
  ensureAdmin(by);
  await settleStreams(kernel, async (tx) => {
    const found = await streams.byId(tx.db, by.realmId, streamId);
    if (!found) throw invalidStreamId();
    const [stream] = await lockStreams(tx, by.realmId, [found]);
    const userIds = await subscriptions.subscribers(tx.db, stream!.id);
    const roles = await accounts.activeRoles(tx.db, by.realmId);
    const lastMessageId = await receptions.lastMessageId(tx.db, by.realmId);
    await receptions.close(tx.db, { streamIds: [stream!.id], userIds, lastMessageId });
    const first = await history.firstIds(tx.db, by.realmId, [stream!.id]);
    const heard = userIds.filter((id) => roles.has(id));
    await retireStream(tx, stream!, onlookersOf(stream!, roles, heard).ids, first);
  });
}
