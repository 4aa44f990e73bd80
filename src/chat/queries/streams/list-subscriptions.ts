/** A user's current, former and possible subscriptions, with their settings. */
import type { Clock } from '../../../kernel/clock';
import { idsOf } from '../../../kernel/group';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Stream, StreamId } from '../../model/streams/stream';
import { isGuest, mayKnow } from '../../model/streams/stream-policy';
import { viewOf, wireNeverSubscribed, wireSubscription } from '../../model/streams/stream-wire';
import type { Subscription } from '../../model/streams/subscription';
import type { User } from '../../model/users/user';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as userSettings from '../../store/users/user-settings';
import { accessStream } from './access-stream';
import { byName } from './list-streams';

type Wire = Record<string, unknown>;

interface Described {
  readonly stream: Stream;
  readonly subscription: Subscription;
  readonly wire: Wire;
}

/** The user's own subscriptions by name; on request with the subscribers' addresses. */
export async function listSubscriptions(kernel: Storage, by: User, withSubscribers: boolean): Promise<Wire[]> {
  const db = kernel.mysql;
  const active = (await subscriptions.ofUser(db, by.id)).filter(({ isActive }) => isActive);
  const heard = await describe(kernel.clock, db, by, active);
  const ids = heard.map(({ stream }) => stream.id);
  const emails = withSubscribers ? await subscriptions.emailsOf(db, ids) : undefined;
  return heard.map(({ stream, wire }) => ({ ...wire, ...(emails ? { subscribers: emails.get(stream.id) } : {}) }));
}

export interface GatheredSubscriptions {
  readonly subscriptions: Wire[];
  readonly unsubscribed: Wire[];
  readonly never_subscribed: Wire[];
}

/** The three lists of the initial state. Subscribers are ids, and given only if the user may see them. */
export async function gatherSubscriptions(
  clock: Clock,
  db: Database,
  by: User,
  withSubscribers: boolean,
): Promise<GatheredSubscriptions> {
  const all = await describe(clock, db, by, await subscriptions.ofUser(db, by.id));
  // A private stream that the user left must not be shown.
  const known = all.filter(({ stream, subscription }) => mayKnow(by, stream, subscription.isActive));
  const strangers = await listStrangers(clock, db, by, new Set(all.map(({ stream }) => stream.id)));
  const ids = [...known, ...strangers].map(({ stream }) => stream.id);
  const subscribers = withSubscribers ? await subscriptions.subscribersOf(db, ids) : undefined;
  const finished = ({ stream, wire }: { stream: Stream; wire: Wire }): Wire =>
    subscribers ? { ...wire, subscribers: subscribers.get(stream.id) ?? [] } : wire;
  const listed = (isActive: boolean) =>
    known.filter(({ subscription }) => subscription.isActive === isActive).map(finished);
  return { subscriptions: listed(true), unsubscribed: listed(false), never_subscribed: strangers.map(finished) };
}

async function describe(clock: Clock, db: Database, by: User, some: readonly Subscription[]): Promise<Described[]> {
  const ids = some.map(({ streamId }) => streamId);
  const found = new Map((await streams.byIds(db, by.realmId, ids)).map((stream) => [stream.id, stream]));
  const first = await history.firstIds(db, by.realmId, ids);
  const general = await userSettings.ofUser(db, by.id);
  const now = clock.now();
  return some
    .flatMap((subscription) => {
      const stream = found.get(subscription.streamId);
      if (!stream) return [];
      return [{ stream, subscription, wire: wireSubscription(stream, viewOf(subscription, general), { first, now }) }];
    })
    .sort((a, b) => byName(a.stream, b.stream));
}

/** Streams that the user may see but never subscribed to. None for guests. */
async function listStrangers(
  clock: Clock,
  db: Database,
  by: User,
  known: ReadonlySet<StreamId>,
): Promise<{ stream: Stream; wire: Wire }[]> {
  if (isGuest(by)) return [];
  const all = await streams.list(db, by.realmId, by.role === 'admin' ? { all: true } : { isPublic: true });
  const strange = all.filter(({ id }) => !known.has(id)).sort(byName);
  const first = await history.firstIds(db, by.realmId, idsOf(strange));
  const now = clock.now();
  return strange.map((stream) => ({ stream, wire: wireNeverSubscribed(stream, { first, now }) }));
}

/** The email addresses of a stream's subscribers. */
export async function listMembers(db: Database, by: User, streamId: number): Promise<string[]> {
  const { stream } = await accessStream(db, by, streamId, { admitAdmins: true });
  return (await subscriptions.emailsOf(db, [stream.id])).get(stream.id) ?? [];
}
