/** Events about streams and subscriptions. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { Audience, Onlookers } from '../events/audience';
import { archiveDelivery, entryDelivery, eventDelivery, type ChatEvent, type ChatFields } from '../events/event';
import type { RealmId } from '../organisation/realm';
import { sendersGroup, todayStream } from '../profiles/today-shapes';
import type { Stream, StreamId } from './stream';
import { wireStream, type FirstMessages } from './stream-wire';
import { isGuest } from './stream-policy';
import type { Role, User, UserId } from '../users/user';

/** The roles of all active accounts. */
export type Roles = ReadonlyMap<UserId, Role>;

/** Who can see a stream: if public, all but unsubscribed guests; if private, subscribers and administrators. */
export function onlookersOf(stream: Stream, roles: Roles, subscribers: readonly UserId[]): Onlookers {
  const seen = new Set(subscribers);
  for (const [id, role] of roles) if (stream.isPrivate ? role === 'admin' : !isGuest({ role })) seen.add(id);
  return { ids: [...seen], role: stream.isPrivate ? 'admin' : 'member', entitled: subscribers };
}

export const adminsAmong = (roles: Roles): Onlookers => ({
  ids: [...roles].filter(([, role]) => role === 'admin').map(([id]) => id),
  role: 'admin',
  entitled: [],
});

const isNobody = (to: Audience): boolean => (typeof to === 'object' && 'ids' in to ? to.ids : to).length === 0;

/** Only clients that know archived streams hear of them. */
function deliveryOf({ isArchived, realmId }: Stream, to: Audience, event: ChatEvent, today?: ChatFields): Delivery {
  if (isArchived) return archiveDelivery(realmId, { isForArchive: true, today }, to, event);
  return eventDelivery(realmId, to, event, today);
}

type StreamOp = 'create' | 'occupy' | 'vacate' | 'delete';

/** No event without recipients or streams. The streams are all archived, or none is. */
export function streamEvent(
  op: StreamOp,
  to: Audience,
  streams: readonly Stream[],
  first: FirstMessages = new Map(),
): Delivery[] {
  const [any] = streams;
  return !any || isNobody(to) ? [] : [deliveryOf(any, to, eventOf(op, streams, first), moreOf(streams))];
}

const eventOf = (op: StreamOp, streams: readonly Stream[], first: FirstMessages): ChatEvent => ({
  type: 'stream',
  op,
  streams: streams.map((stream) => wireStream(stream, first)),
});

const moreOf = (streams: readonly Stream[]): ChatFields => ({ streams: streams.map(todayStream) });

/** A stream that was archived is gone for clients that do not know archived streams, and comes back for them later. */
export function archiveEvents(stream: Stream, to: Onlookers, first: FirstMessages): Delivery[] {
  const { id, name, realmId, isArchived } = stream;
  const property = { property: 'is_archived', value: isArchived };
  const [op, others] = isArchived ? (['delete', to.ids] as const) : (['create', to] as const);
  return [
    archiveDelivery(realmId, { isForArchive: true }, to, {
      type: 'stream',
      op: 'update',
      stream_id: id,
      name,
      ...property,
    }),
    archiveDelivery(realmId, { isForArchive: false, today: moreOf([stream]) }, others, eventOf(op, [stream], first)),
  ];
}

export function streamChanged(
  stream: Stream,
  to: Audience,
  property: string,
  more: { readonly value: unknown; readonly [key: string]: unknown },
): Delivery {
  const { id, name } = stream;
  return deliveryOf(stream, to, { type: 'stream', op: 'update', property, stream_id: id, name, ...more });
}

/** For today's clients, which know groups of who may write. */
export const sendersChanged = ({ id, name, realmId, isArchived, postPolicy }: Stream, to: Audience): Delivery =>
  entryDelivery(
    realmId,
    to,
    {
      type: 'stream',
      op: 'update',
      property: 'can_send_message_group',
      stream_id: id,
      name,
      value: sendersGroup(postPolicy),
    },
    { isForToday: true, ...(isArchived ? { isForArchive: true } : {}) },
  );

export const defaultStreamsChanged = (realmId: RealmId, streams: readonly Stream[], first: FirstMessages): Delivery =>
  eventDelivery(realmId, 'members', {
    type: 'default_streams',
    default_streams: streams.map((stream) => wireStream(stream, first)),
  });

/** One event per user and stream, as clients expect. */
export function peerEvents(
  op: 'peer_add' | 'peer_remove',
  stream: Stream,
  changed: readonly UserId[],
  onlookers: Onlookers,
): Delivery[] {
  const altered = new Set(changed);
  const others = { ...onlookers, ids: onlookers.ids.filter((id) => !altered.has(id)) };
  if (isNobody(others)) return [];
  return changed.map((userId) =>
    deliveryOf(
      stream,
      others,
      { type: 'subscription', op, subscriptions: [stream.name], user_id: userId },
      { stream_ids: [stream.id] },
    ),
  );
}

export const unsubscribed = (realmId: RealmId, to: readonly UserId[], subscriptions: readonly object[]): Delivery =>
  eventDelivery(realmId, to, { type: 'subscription', op: 'remove', subscriptions });

/** The streams of the subscriptions, in the same order. */
export const subscribed = (
  realmId: RealmId,
  to: readonly UserId[],
  subscriptions: readonly object[],
  streams: readonly Stream[],
): Delivery =>
  eventDelivery(
    realmId,
    to,
    { type: 'subscription', op: 'add', subscriptions },
    { subscriptions: streams.map(todayStream) },
  );

export const subscriptionChanged = (
  by: Pick<User, 'id' | 'email' | 'realmId'>,
  { id, name }: { id: StreamId; name: string },
  change: { readonly property: string; readonly value: unknown },
): Delivery =>
  eventDelivery(by.realmId, [by.id], {
    type: 'subscription',
    op: 'update',
    email: by.email,
    property: change.property,
    value: change.value,
    stream_id: id,
    name,
  });
