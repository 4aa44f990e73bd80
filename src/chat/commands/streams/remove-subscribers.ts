/** Unsubscribes users from locked streams, and takes streams out of use. Publishes that to everyone who can see them. */
import { groupBy, idsOf } from '../../../kernel/group';
import type { Tx } from '../../../kernel/mysql/transaction';
import { readMarksOf } from '../../actors/mailboxes';
import type { RealmId } from '../../model/organisation/realm';
import { MAX_IDS_AT_ONCE, readByLeaving } from '../../model/reading/read-marks';
import { deactivatedName, type Stream, type StreamId } from '../../model/streams/stream';
import { onlookersOf, peerEvents, type Roles, streamEvent, unsubscribed } from '../../model/streams/stream-events';
import type { FirstMessages } from '../../model/streams/stream-wire';
import type { UserId } from '../../model/users/user';
import * as receptions from '../../store/streams/receptions';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import { publishDefaultStreams } from './default-streams';
import { leaveStreamGroups } from './edit-stream-groups';

interface Parting {
  readonly realmId: RealmId;
  readonly streams: readonly Stream[];
  readonly userIds: readonly UserId[];
  readonly roles: Roles;
}

interface Left {
  readonly userId: UserId;
  readonly stream: Stream;
}

/** Returns stream names, once for each user. */
export async function removeSubscribers(
  tx: Tx,
  parting: Parting,
): Promise<{ removed: string[]; notRemoved: string[] }> {
  const streamIds = parting.streams.map(({ id }) => id);
  const known = await subscriptions.among(tx.db, streamIds, parting.userIds);
  const active = new Set(known.filter(({ isActive }) => isActive).map((each) => `${each.streamId}/${each.userId}`));
  const pairs = parting.userIds.flatMap((userId) => parting.streams.map((stream) => ({ userId, stream })));
  const isSubscriber = ({ userId, stream }: Left) => active.has(`${stream.id}/${userId}`);
  const gone = pairs.filter(isSubscriber);
  if (gone.length > 0) {
    const lastMessageId = await receptions.lastMessageId(tx.db, parting.realmId);
    const leaving = { streamIds, userIds: parting.userIds, lastMessageId };
    const unread = await receptions.unread(tx.db, leaving);
    await receptions.close(tx.db, leaving);
    await announce(tx, parting, gone);
    await publishRead(tx, parting, unread);
  }
  const named = (some: readonly Left[]) => some.map(({ stream }) => stream.name);
  return { removed: named(gone), notRemoved: named(pairs.filter((pair) => !isSubscriber(pair))) };
}

async function announce(tx: Tx, { realmId, roles }: Parting, gone: readonly Left[]): Promise<void> {
  const byStream = groupBy(gone, ({ stream }) => stream.id);
  const ids = [...byStream.keys()];
  const subscribers = await subscriptions.subscribersOf(tx.db, ids);
  const alike = groupBy([...groupBy(gone, ({ userId }) => userId)], ([, pairs]) =>
    pairs.map(({ stream }) => stream.id).join(),
  );
  for (const group of alike.values()) {
    const subscriptions = group[0]![1].map(({ stream }) => ({ name: stream.name, stream_id: stream.id }));
    const to = group.map(([userId]) => userId);
    tx.deliver(unsubscribed(realmId, to, subscriptions));
  }
  for (const [id, pairs] of byStream) {
    const { stream } = pairs[0]!;
    const left = pairs.map(({ userId }) => userId);
    const onlookers = onlookersOf(stream, roles, subscribers.get(id) ?? []);
    for (const delivery of peerEvents('peer_remove', stream, left, onlookers)) tx.deliver(delivery);
  }
  await vacate(tx, byStream, roles);
}

/** Unread messages of a left or archived stream count as read. They are published now, or if very many after the response. */
export async function publishRead(
  tx: Tx,
  { realmId }: Pick<Parting, 'realmId'>,
  unread: readonly receptions.Unread[],
): Promise<void> {
  const byStream = groupBy(unread, ({ streamId }) => streamId);
  const ends = await history.lastIds(tx.db, realmId, [...byStream.keys()]);
  for (const [streamId, readers] of byStream) {
    const end = ends.get(streamId) ?? 0;
    const some = readers.filter(({ from, ids }) => from < end || ids.length > 0);
    const least = some.reduce((low, { from }) => Math.min(low, from), end);
    const above = await history.idsBetween(tx.db, { realmId, streamId }, [least, end], MAX_IDS_AT_ONCE + 1);
    const isWhole = above.length <= MAX_IDS_AT_ONCE;
    const late = isWhole ? [] : some;
    const alike = groupBy(isWhole ? some : [], ({ from, ids }) => [...ids, ...above.filter((id) => id > from)].join());
    for (const [ids, group] of alike) {
      const to = group.map(({ userId }) => userId);
      tx.deliver(readByLeaving(realmId, to, ids.split(',').map(Number)));
    }
    for (const { userId, from, ids } of late) {
      const range = { recipientId: streamId, topicId: null, from, to: Math.max(from, end), ids };
      readMarksOf(realmId, userId).send(tx, { realmId, userId, range, touched: [] });
    }
  }
}

/**
 * A public stream stays without subscribers. A private one is retired, because nobody could ever enter it again. An
 * archived one stays as it is.
 */
async function vacate(tx: Tx, byStream: ReadonlyMap<StreamId, readonly Left[]>, roles: Roles): Promise<void> {
  const occupied = await streams.occupied(tx.db, [...byStream.keys()]);
  const left = [...byStream].filter(([id]) => !occupied.has(id)).map(([, pairs]) => pairs[0]!.stream);
  const vacant = left.filter(({ isArchived }) => !isArchived);
  if (vacant.length === 0) return;
  const first = await history.firstIds(tx.db, vacant[0]!.realmId, idsOf(vacant));
  const open = vacant.filter(({ isPrivate }) => !isPrivate);
  for (const delivery of streamEvent('vacate', 'members', open, first)) tx.deliver(delivery);
  for (const stream of vacant.filter(({ isPrivate }) => isPrivate)) {
    const last = byStream.get(stream.id)!.map(({ userId }) => userId);
    await retireStream(tx, stream, onlookersOf(stream, roles, last).ids, first);
  }
}

/**
 * Its messages stay, and its name becomes available. Publishes the deletion to the users who could see the stream. It is
 * locked, and must have no subscribers left.
 */
async function retireStream(tx: Tx, stream: Stream, to: readonly UserId[], first: FirstMessages): Promise<void> {
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
