/** A user's current, former and possible subscriptions, with their settings. */
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together, type RunRead } from '../../../kernel/mysql/read-packet';
import type { Stream, StreamId } from '../../model/streams/stream';
import { isAdmin, isGuest, mayKnow } from '../../model/streams/stream-policy';
import { viewOf, wireNeverSubscribed, wireSubscription } from '../../model/streams/stream-wire';
import type { Subscription } from '../../model/streams/subscription';
import type { User } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
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
export async function listSubscriptions(
  { clock, mysql: db }: Storage,
  by: User,
  withSubscribers: boolean,
): Promise<Wire[]> {
  const found = await runRead(
    db,
    together({
      list: streams.listRead(by.realmId, { subscriberId: by.id }),
      own: subscriptions.ofUserRead(by.id),
      general: userSettings.ofUserRead(by.id),
    }),
  );
  const heard = describe({ ...found, now: clock.now() });
  const ids = heard.map(({ stream }) => stream.id);
  const emails = withSubscribers ? await subscriptions.emailsOf(db, ids) : undefined;
  return heard.map(({ stream, wire }) => ({ ...wire, ...(emails ? { subscribers: emails.get(stream.id) } : {}) }));
}

interface Subscribed {
  readonly list: streams.StreamList;
  readonly own: readonly Subscription[];
  /** Settings that apply to subscriptions without settings of their own. */
  readonly general: StoredSettings;
}

export interface GatheredSubscriptions {
  readonly subscriptions: Wire[];
  readonly unsubscribed: Wire[];
  readonly never_subscribed: Wire[];
}

/** The three lists of the initial state. Subscribers are ids, and given only if the user may see them. */
export async function gatherSubscriptions(
  read: RunRead,
  by: User,
  subscribed: Subscribed & { readonly now: Date; readonly withSubscribers: boolean },
): Promise<GatheredSubscriptions> {
  const all = describe(subscribed);
  // A private stream that the user left must not be shown.
  const known = all.filter(({ stream, subscription }) => mayKnow(by, stream, subscription.isActive));
  const strangers = listStrangers(by, new Set(all.map(({ stream }) => stream.id)), subscribed);
  const ids = [...known, ...strangers].map(({ stream }) => stream.id);
  const subscribers = subscribed.withSubscribers ? await read(subscriptions.subscribersRead(ids)) : undefined;
  const finished = ({ stream, wire }: { stream: Stream; wire: Wire }): Wire =>
    subscribers ? { ...wire, subscribers: subscribers.get(stream.id) ?? [] } : wire;
  const listed = (isActive: boolean) =>
    known.filter(({ subscription }) => subscription.isActive === isActive).map(finished);
  return { subscriptions: listed(true), unsubscribed: listed(false), never_subscribed: strangers.map(finished) };
}

function describe({ list, own, general, now }: Subscribed & { readonly now: Date }): Described[] {
  const found = new Map(list.streams.map((stream) => [stream.id, stream]));
  const asOf = { first: list.first, lively: list.lively, now };
  return own
    .flatMap((subscription) => {
      const stream = found.get(subscription.streamId);
      return stream
        ? [{ stream, subscription, wire: wireSubscription(stream, viewOf(subscription, general), asOf) }]
        : [];
    })
    .sort((a, b) => byName(a.stream, b.stream));
}

/** Streams that the user may see but never subscribed to. None for guests. */
function listStrangers(
  by: User,
  known: ReadonlySet<StreamId>,
  { list: { streams: all, first, occupied, lively }, now }: Subscribed & { readonly now: Date },
): { stream: Stream; wire: Wire }[] {
  const isShown = (stream: Stream) => isAdmin(by) || (!isGuest(by) && !stream.isPrivate && occupied.has(stream.id));
  return all
    .filter((stream) => !known.has(stream.id) && isShown(stream))
    .sort(byName)
    .map((stream) => ({ stream, wire: wireNeverSubscribed(stream, { first, lively, now }) }));
}

/** The email addresses of a stream's subscribers. */
export async function listMembers(db: Database, by: User, streamId: number): Promise<string[]> {
  const { stream } = await accessStream(db, by, streamId, { admitAdmins: true, admitArchived: true });
  return (await subscriptions.emailsOf(db, [stream.id])).get(stream.id) ?? [];
}
