/** Takes a stream out of use. Its messages stay, and its name becomes available. */
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { deactivatedName, type Stream } from '../../model/streams/stream';
import { defaultStreamsChanged, onlookersOf, streamEvent } from '../../model/streams/stream-events';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { FirstMessages } from '../../model/streams/stream-wire';
import type { User, UserId } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as realms from '../../store/organisation/realms';
import * as receptions from '../../store/streams/receptions';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { leaveStreamGroups } from './edit-stream-groups';
import { lockStreams, settleStreams } from './settle-streams';

/** Publishes the deletion to the users who could see the stream. It is locked, and must have no subscribers left. */
export async function retireStream(tx: Tx, stream: Stream, to: readonly UserId[], first: FirstMessages): Promise<void> {
  await streams.update(tx.db, [stream.id], {
    name: deactivatedName(stream.name),
    isPrivate: true,
    isActive: false,
    isDefault: false,
  });
  if (stream.isDefault) await publishDefaultStreams(tx, stream);
  await leaveStreamGroups(tx, stream);
  for (const delivery of streamEvent('delete', to, [stream], first)) tx.deliver(delivery);
}

/** Publishes all default streams. The organisation is locked, so that events keep the order of the changes. */
export async function publishDefaultStreams(tx: Tx, { realmId }: Pick<Stream, 'realmId'>): Promise<void> {
  await realms.lock(tx.db, realmId);
  const left = await streams.defaults(tx.db, realmId);
  const first = await history.firstIds(
    tx.db,
    realmId,
    left.map(({ id }) => id),
  );
  tx.deliver(defaultStreamsChanged(realmId, left, first));
}

/** Deactivates a stream and ends all its subscriptions, for administrators. */
export async function deactivateStream(transaction: Transact, by: User, streamId: number): Promise<void> {
  ensureAdmin(by);
  await settleStreams(transaction, async (tx) => {
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
