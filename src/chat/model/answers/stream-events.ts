/** Schemas of events about streams, subscriptions and the organisation. */
import { z } from 'zod';
import { linkifier, realmEmoji } from './realm';
import { stream, subscriptionWithSubscribers } from './streams';

const value = z.union([z.boolean(), z.number(), z.string(), z.null()]);
const streamType = { type: z.literal('stream') };
const subscriptionType = { type: z.literal('subscription') };

export const streamEvents = {
  StreamsEvent: z.object({
    ...streamType,
    op: z.enum(['create', 'occupy', 'vacate', 'delete']),
    streams: z.array(stream),
  }),
  StreamChangedEvent: z.object({
    ...streamType,
    op: z.literal('update'),
    property: z.string(),
    stream_id: z.int(),
    name: z.string(),
    value,
    rendered_description: z.string().optional(),
    history_public_to_subscribers: z.boolean().optional(),
  }),
  DefaultStreamsEvent: z.object({ type: z.literal('default_streams'), default_streams: z.array(stream) }),
  SubscribedEvent: z.object({
    ...subscriptionType,
    op: z.literal('add'),
    subscriptions: z.array(subscriptionWithSubscribers),
  }),
  UnsubscribedEvent: z.object({
    ...subscriptionType,
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ name: z.string(), stream_id: z.int() })),
  }),
  PeerEvent: z.object({
    ...subscriptionType,
    op: z.enum(['peer_add', 'peer_remove']),
    subscriptions: z.array(z.string()).meta({ description: 'Names of streams' }),
    user_id: z.int(),
  }),
  SubscriptionChangedEvent: z.object({
    ...subscriptionType,
    op: z.literal('update'),
    email: z.string(),
    property: z.string(),
    value,
    stream_id: z.int(),
    name: z.string(),
  }),
  RealmChangedEvent: z.object({ type: z.literal('realm'), op: z.literal('update'), property: z.string(), value }),
  RealmSettingsChangedEvent: z.object({
    type: z.literal('realm'),
    op: z.literal('update_dict'),
    property: z.string(),
    data: z.record(z.string(), value),
  }),
  RealmFiltersEvent: z.object({ type: z.literal('realm_filters'), realm_filters: z.array(linkifier) }),
  RealmEmojiEvent: z.object({ type: z.literal('realm_emoji'), op: z.literal('update'), realm_emoji: realmEmoji }),
  HeartbeatEvent: z.object({ type: z.literal('heartbeat') }),
};
