/** The schema of an event, and of responses with events. */
import { z } from 'zod';
import { messageEvents } from './message-events';
import { realmDomain, realmExport, streamGroup } from './organisation';
import { peopleEvents } from './people-events';
import { linkifier, realmEmoji } from './realm';
import { registerAnswer } from './register';
import { stream, subscriptionWithSubscribers } from './streams';

const value = z.union([z.boolean(), z.number(), z.string(), z.null()]);
const streamType = { type: z.literal('stream') };
const subscriptionType = { type: z.literal('subscription') };

const streamEvents = {
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

const domainsType = { type: z.literal('realm_domains') };

/** About the organisation's administration. */
const organisationEvents = {
  RealmDeactivatedEvent: z.object({ type: z.literal('realm'), op: z.literal('deactivated'), realm_id: z.int() }),
  RealmDomainEvent: z.object({ ...domainsType, op: z.enum(['add', 'change']), realm_domain: realmDomain }),
  RealmDomainRemovedEvent: z.object({ ...domainsType, op: z.literal('remove'), domain: z.string() }),
  RealmExportEvent: z.object({ type: z.literal('realm_export'), exports: z.array(realmExport) }),
  DefaultStreamGroupsEvent: z.object({
    type: z.literal('default_stream_groups'),
    default_stream_groups: z.array(streamGroup),
  }),
};

const id = z.int().meta({ description: 'Its number in the queue' });

/** By type and op. Each schema has its own name in the OpenAPI document. */
const events = Object.entries({ ...messageEvents, ...peopleEvents, ...streamEvents, ...organisationEvents }).map(
  ([name, schema]) => (schema as z.ZodObject).extend({ id }).meta({ id: name }),
);

const event = z.union(events).meta({ id: 'Event', description: 'An event whose kind is given by type and op' });

const polledAnswer = z.object({ queue_id: z.string(), events: z.array(event) });

/** Without a queue_id, the poll registers a queue first. */
export const eventsAnswer = z.union([polledAnswer, registerAnswer.extend({ events: z.array(event) })]);
