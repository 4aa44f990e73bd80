/** The schema of an event, and of responses with events. */
import { z } from 'zod';
import { emoji, newMessage } from './messages';
import { realmDomain, realmExport, streamGroup } from './organisation';
import { event, peopleEvents } from './people-events';
import { registerAnswer } from './register';
import { streamFolder } from './stream-folders';
import { stream, subscriptionWithSubscribers } from './streams';
import { vocabularyEvents } from './vocabulary-events';

const ids = z.array(z.int());
const person = z.object({ user_id: z.int(), email: z.string() });

const messageDetail = z
  .object({
    type: z.enum(['private', 'stream']),
    user_ids: ids.optional(),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
    mentioned: z.boolean().optional(),
  })
  .meta({ id: 'MessageDetail' });

const messageEvents = {
  MessageEvent: event('message', {
    message: newMessage,
    flags: z.array(z.string()),
    local_message_id: z.string().optional().meta({ description: 'The local id that the sending client chose' }),
  }),
  /** A change of content, topic or both; for private messages content only; or only a new rendering. */
  UpdateMessageEvent: event('update_message', {
    user_id: z.int().optional().meta({ description: 'The user who edited it; absent if no user did' }),
    sender: z.string(),
    message_id: z.int(),
    message_ids: ids,
    edit_timestamp: z.int().optional(),
    rendering_only: z
      .boolean()
      .meta({ description: 'True if no user edited it and rendered_content only gained previews of linked pages' }),
    flags: z.array(z.string()),
    stream_name: z.string().optional(),
    stream_id: z.int().optional().meta({ description: 'Where the messages were' }),
    new_stream_id: z.int().optional().meta({ description: 'Where they are now, if in another stream' }),
    propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    subject_links: z.array(z.string()).optional(),
    topic_links: z.array(z.object({ text: z.string(), url: z.string() })).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    prev_rendered_content_version: z.int().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
    prior_mention_user_ids: ids.optional(),
    mention_user_ids: ids.optional(),
    push_notify_user_ids: ids.optional(),
    stream_push_user_ids: ids.optional(),
    stream_email_user_ids: ids.optional(),
    wildcard_mention_user_ids: ids.optional(),
    presence_idle_user_ids: ids.optional(),
  }),
  UpdateMessageFlagsEvent: event('update_message_flags', {
    operation: z.enum(['add', 'remove']),
    flag: z.string(),
    messages: ids,
    all: z.boolean(),
    op: z.enum(['add', 'remove']).optional(),
    message_details: z
      .record(z.string(), messageDetail)
      .optional()
      .meta({ description: 'Where messages are that are unread again' }),
  }),
  DeleteMessageEvent: event('delete_message', {
    message_id: z.int(),
    message_ids: ids.optional(),
    sender: z.string(),
    sender_id: z.int(),
    message_type: z.enum(['stream', 'private']),
    recipient_id: z.int().optional(),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  ReactionEvent: event('reaction', {
    op: z.enum(['add', 'remove']),
    message_id: z.int(),
    ...emoji,
    user: person.extend({ full_name: z.string() }),
    user_id: z.int().optional(),
  }),
  SubmessageEvent: event('submessage', {
    msg_type: z.string(),
    message_id: z.int(),
    submessage_id: z.int(),
    sender_id: z.int(),
    content: z.string().meta({ description: 'JSON' }),
  }),
  TypingEvent: event('typing', {
    op: z.enum(['start', 'stop']),
    message_type: z.literal('direct').optional(),
    sender: person,
    recipients: z.array(person),
  }),
  StreamTypingEvent: event('typing', {
    op: z.enum(['start', 'stop']),
    message_type: z.literal('stream'),
    sender: person,
    stream_id: z.int(),
    topic: z.string(),
  }),
};

const value = z.union([z.boolean(), z.number(), z.string(), z.null()]);

const streamEvents = {
  StreamsEvent: event('stream', {
    op: z.enum(['create', 'occupy', 'vacate', 'delete']),
    streams: z.array(stream),
    stream_ids: ids.optional(),
  }),
  StreamChangedEvent: event('stream', {
    op: z.literal('update'),
    property: z.string(),
    stream_id: z.int(),
    name: z.string(),
    value,
    rendered_description: z.string().optional(),
    history_public_to_subscribers: z.boolean().optional(),
    is_web_public: z.boolean().optional(),
  }),
  DefaultStreamsEvent: event('default_streams', { default_streams: z.array(stream) }),
  SubscribedEvent: event('subscription', {
    op: z.literal('add'),
    subscriptions: z.array(subscriptionWithSubscribers),
  }),
  UnsubscribedEvent: event('subscription', {
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ name: z.string(), stream_id: z.int() })),
  }),
  PeerEvent: event('subscription', {
    op: z.enum(['peer_add', 'peer_remove']),
    subscriptions: z.array(z.string()).meta({ description: 'Names of streams' }),
    user_id: z.int(),
    user_ids: ids.optional(),
    stream_ids: ids.optional(),
  }),
  SubscriptionChangedEvent: event('subscription', {
    op: z.literal('update'),
    email: z.string(),
    property: z.string(),
    value,
    stream_id: z.int(),
    name: z.string(),
  }),
  RealmChangedEvent: event('realm', { op: z.literal('update'), property: z.string(), value }),
  RealmSettingsChangedEvent: event('realm', {
    op: z.literal('update_dict'),
    property: z.string(),
    data: z.record(z.string(), value),
  }),
  ...vocabularyEvents,
  FolderEvent: event('channel_folder', { op: z.literal('add'), channel_folder: streamFolder }),
  FolderChangedEvent: event('channel_folder', {
    op: z.literal('update'),
    channel_folder_id: z.int(),
    data: z.object({
      name: z.string().optional(),
      description: z.string().optional(),
      rendered_description: z.string().optional(),
      is_archived: z.boolean().optional(),
    }),
  }),
  FoldersOrderedEvent: event('channel_folder', { op: z.literal('reorder'), order: ids }),
  HeartbeatEvent: event('heartbeat', {}),
};

/** About the organisation's administration. */
const organisationEvents = {
  RealmDeactivatedEvent: event('realm', { op: z.literal('deactivated'), realm_id: z.int() }),
  RealmDomainEvent: event('realm_domains', { op: z.enum(['add', 'change']), realm_domain: realmDomain }),
  RealmDomainRemovedEvent: event('realm_domains', { op: z.literal('remove'), domain: z.string() }),
  RealmExportEvent: event('realm_export', { exports: z.array(realmExport) }),
  DefaultStreamGroupsEvent: event('default_stream_groups', { default_stream_groups: z.array(streamGroup) }),
};

const id = z.int().meta({ description: 'Its number in the queue' });

/** By type and op. Each schema has its own name in the OpenAPI document. */
const events = Object.entries({ ...messageEvents, ...peopleEvents, ...streamEvents, ...organisationEvents }).map(
  ([name, schema]) => schema.extend({ id }).meta({ id: name }),
);

const anyEvent = z.union(events).meta({ id: 'Event', description: 'An event whose kind is given by type and op' });

const polledAnswer = z.object({ queue_id: z.string(), events: z.array(anyEvent) });

/** Without a queue_id, the poll registers a queue first. */
export const eventsAnswer = z.union([polledAnswer, registerAnswer.extend({ events: z.array(anyEvent) })]);
