/** Subscribes users to locked streams, and publishes that to them and to everyone who can see the streams. */
import type { Clock } from '../../../kernel/clock';
import { groupBy, idsOf } from '../../../kernel/group';
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { Tx } from '../../../kernel/mysql/transaction';
import { pickColor } from '../../model/streams/subscription';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream, StreamId } from '../../model/streams/stream';
import { onlookersOf, peerEvents, streamEvent, subscribed, type Roles } from '../../model/streams/stream-events';
import { mayKnow } from '../../model/streams/stream-policy';
import { viewOf, wireSubscription, type FirstMessages, type SubscriptionView } from '../../model/streams/stream-wire';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import * as receptions from '../../store/streams/receptions';
import * as history from '../../store/streams/stream-history';
import type { Past } from '../../store/streams/newcomer-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';

export interface Joining {
  readonly realmId: RealmId;
  readonly streams: readonly Stream[];
  /** The streams among them that are new. */
  readonly created: readonly Stream[];
  /** With their settings; locked until the commit. */
  readonly users: ReadonlyMap<UserId, StoredSettings>;
  readonly roles: Roles;
  /** Requested colours. */
  readonly colors: ReadonlyMap<StreamId, string>;
  /** For new accounts: what they receive of each stream's history. */
  readonly past?: ReadonlyMap<StreamId, Past>;
}

export interface Joined {
  readonly userId: UserId;
  readonly stream: Stream;
}

interface Pair extends Joined {
  readonly view: SubscriptionView;
}

export async function addSubscribers(
  tx: Tx,
  clock: Clock,
  joining: Joining,
): Promise<{ subscribed: Joined[]; already: Joined[] }> {
  const ids = joining.streams.map(({ id }) => id);
  const vacant = await findVacant(tx, joining);
  const { fresh, already } = await plan(tx, joining);
  // After the lock: messages up to here went to the previous subscribers.
  const last = await receptions.lastMessageId(tx.db, joining.realmId);
  await subscriptions.insert(
    tx.db,
    fresh.map(({ userId, stream, view }) => ({
      recipientId: stream.id,
      userId,
      fromId: last + 1,
      ...joining.past?.get(stream.id),
      color: view.color,
    })),
  );
  if (fresh.length > 0) {
    const subscribers = await subscriptions.subscribersOf(tx.db, ids);
    const first = await history.firstIds(tx.db, joining.realmId, ids);
    const lively = await history.livelyIds(tx.db, joining.realmId, ids);
    announce(tx, joining, { fresh, vacant, subscribers, first, lively, now: clock.now() });
  }
  return { subscribed: fresh, already };
}

/** Existing public streams without subscribers. */
async function findVacant(tx: Tx, joining: Joining): Promise<Stream[]> {
  const created = new Set(joining.created.map(({ id }) => id));
  const candidates = joining.streams.filter(({ id, isPrivate }) => !isPrivate && !created.has(id));
  const occupied = await streams.occupied(tx.db, idsOf(candidates));
  return candidates.filter(({ id }) => !occupied.has(id));
}

/** Splits users and streams into new and existing subscriptions. New ones get their former or a fresh colour. */
async function plan(tx: Tx, joining: Joining): Promise<{ fresh: Pair[]; already: Joined[] }> {
  const userIds = [...joining.users.keys()];
  const known = await subscriptions.among(tx.db, idsOf(joining.streams), userIds);
  const before = new Map(known.map((each) => [`${each.streamId}/${each.userId}`, each]));
  const colors = await subscriptions.colorsOf(tx.db, userIds);
  const fresh: Pair[] = [];
  const already: Joined[] = [];
  for (const [userId, settings] of joining.users) {
    const used = colors.get(userId)!;
    for (const stream of joining.streams) {
      const old = before.get(`${stream.id}/${userId}`);
      if (old?.isActive === true) {
        already.push({ userId, stream });
        continue;
      }
      const color = old?.color || joining.colors.get(stream.id) || pickColor(used);
      used.set(color, (used.get(color) ?? 0) + 1);
      fresh.push({ userId, stream, view: viewOf({ ...NEW, ...old, color }, settings) });
    }
  }
  return { fresh, already };
}

const NEW = {
  isMuted: false,
  isPinned: false,
  notify: { desktop: null, audible: null, push: null, email: null, wildcard: null },
} as const;

interface Announced {
  readonly fresh: readonly Pair[];
  readonly vacant: readonly Stream[];
  readonly subscribers: ReadonlyMap<StreamId, readonly UserId[]>;
  readonly first: FirstMessages;
  readonly lively: ReadonlySet<StreamId>;
  readonly now: Date;
}

/** In the order that clients rely on: the stream itself, then the subscription, then the news to others. */
function announce(tx: Tx, { realmId, roles }: Joining, announced: Announced): void {
  const { fresh, vacant, subscribers, first, lively, now } = announced;
  const deliver = (deliveries: readonly Delivery[]) => deliveries.forEach((each) => tx.deliver(each));
  const usersOf = (pairs: readonly Pair[]) => pairs.map(({ userId }) => userId);
  const byStream = groupBy(fresh, ({ stream }) => stream.id);
  for (const pairs of byStream.values()) {
    const { stream } = pairs[0]!;
    const unaware = pairs.filter(({ userId }) => !mayKnow({ role: roles.get(userId) ?? 'guest' }, stream, false));
    deliver(streamEvent('create', usersOf(unaware), [stream], first));
  }
  const occupied = vacant.filter(({ id }) => byStream.has(id));
  deliver(streamEvent('occupy', 'members', occupied, first));
  // Users who get the same event share one entry: its subscriber list may be long.
  const alike = groupBy([...groupBy(fresh, ({ userId }) => userId)], ([, pairs]) =>
    JSON.stringify(pairs.map(({ stream, view }) => [stream.id, view])),
  );
  for (const group of alike.values()) {
    const subscriptions = group[0]![1].map(({ stream, view }) => ({
      ...wireSubscription(stream, view, { first, lively, now }),
      subscribers: subscribers.get(stream.id) ?? [],
    }));
    const to = group.map(([userId]) => userId);
    const streams = group[0]![1].map(({ stream }) => stream);
    tx.deliver(subscribed(realmId, to, subscriptions, streams));
  }
  for (const [id, pairs] of byStream) {
    const { stream } = pairs[0]!;
    const onlookers = onlookersOf(stream, roles, subscribers.get(id) ?? []);
    deliver(peerEvents('peer_add', stream, usersOf(pairs), onlookers));
  }
}
