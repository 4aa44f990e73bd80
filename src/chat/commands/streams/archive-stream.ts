/** Takes a stream out of use: it stays readable for those who could read it. And brings it back. */
import type { Transact, Tx } from '../../../kernel/mysql/transaction';
import type { Stream } from '../../model/streams/stream';
import { archiveEvents, onlookersOf, type Roles } from '../../model/streams/stream-events';
import { archivedWithoutSubscribers, invalidStreamId, notArchived } from '../../model/streams/stream-faults';
import type { User, UserId } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as receptions from '../../store/streams/receptions';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { publishDefaultStreams } from './default-streams';
import { leaveStreamGroups } from './edit-stream-groups';
import { publishRead } from './remove-subscribers';
import { lockStreams, settleStreams } from './settle-streams';

/** For administrators. Subscriptions stay; what is unread counts as read, because nobody looks for it any more. */
export async function archiveStream(transaction: Transact, by: User, streamId: number): Promise<void> {
  ensureAdmin(by);
  await settleStreams(transaction, async (tx) => {
    const found = await streams.byId(tx.db, by.realmId, streamId);
    if (!found || found.isArchived) throw invalidStreamId();
    const [stream] = await lockStreams(tx, by.realmId, [found]);
    await streams.update(tx.db, [stream!.id], { isArchived: true, isDefault: false });
    const subscribers = await subscriptions.subscribers(tx.db, stream!.id);
    await readAll(tx, stream!, subscribers);
    if (stream!.isDefault) await publishDefaultStreams(tx, stream!);
    await leaveStreamGroups(tx, stream!);
    await publish(tx, { ...stream!, isArchived: true }, subscribers);
  });
}

async function readAll(tx: Tx, { id, realmId }: Stream, userIds: readonly UserId[]): Promise<void> {
  const lastMessageId = await receptions.lastMessageId(tx.db, realmId);
  const all = { streamIds: [id], userIds, lastMessageId };
  const unread = await receptions.unread(tx.db, all);
  await receptions.markRead(tx.db, all);
  await publishRead(tx, { realmId }, unread);
}

/** Of a locked stream. Returns it as it is now. */
export async function unarchiveStream(tx: Tx, stream: Stream): Promise<Stream> {
  if (!stream.isArchived) throw notArchived();
  const subscribers = await subscriptions.subscribers(tx.db, stream.id);
  // Nobody could ever enter it again.
  if (stream.isPrivate && subscribers.length === 0) throw archivedWithoutSubscribers();
  await streams.update(tx.db, [stream.id], { isArchived: false });
  const current = { ...stream, isArchived: false };
  await publish(tx, current, subscribers);
  return current;
}

async function publish(tx: Tx, stream: Stream, subscribers: readonly UserId[]): Promise<void> {
  const roles: Roles = await accounts.activeRoles(tx.db, stream.realmId);
  const active = subscribers.filter((id) => roles.has(id));
  const first = await history.firstIds(tx.db, stream.realmId, [stream.id]);
  for (const delivery of archiveEvents(stream, onlookersOf(stream, roles, active), first)) tx.deliver(delivery);
}
