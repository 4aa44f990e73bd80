/** Requests whose parameters depend on each other, so that none can be derived from the route alone. */
import type { Things } from './things';

type Fields = Readonly<Record<string, unknown>>;

const NARROWS = (things: Things) => [
  ['stream', things.stream],
  ['sender', things.email],
  ['pm-with', things.email],
  ['group-pm-with', things.email],
  ['id', String(things.message_id)],
  ['near', String(things.message_id)],
];
const reading = { anchor: 10_000_000_000_000_000, num_before: 10, num_after: 0 };
const later = { scheduled_delivery_timestamp: 4_000_000_000 };
const vote = { msg_type: 'widget', content: '{"type":"vote"}' };

/** By method and path as in the OpenAPI document. */
export const BY_HAND: Readonly<Record<string, readonly ((things: Things) => Fields)[]>> = {
  'GET /api/v1/messages': [0, 1, 2, 3, 4, 5].map((place) => (things) => ({
    ...reading,
    narrow: [NARROWS(things)[place]],
  })),
  'GET /api/v1/messages/matches_narrow': [
    ({ message_id: id, private_id: other }) => ({ msg_ids: [id, other], narrow: [['search', 'secret']] }),
  ],
  'POST /api/v1/messages': [
    ({ stream }) => ({ type: 'stream', to: stream, topic: 'a', content: 'x' }),
    ({ stream_id: id }) => ({ type: 'stream', to: [id], topic: 'a', content: 'x' }),
    ({ email }) => ({ type: 'private', to: [email], content: 'x' }),
    ({ user_id: id }) => ({ type: 'private', to: [id], content: 'x' }),
  ],
  'POST /api/v1/scheduled_messages': [
    ({ stream_id: id }) => ({ type: 'stream', to: id, topic: 'a', content: 'x', ...later }),
    ({ user_id: id }) => ({ type: 'private', to: [id], content: 'x', ...later }),
  ],
  'PATCH /api/v1/scheduled_messages/{scheduled_message_id}': [() => ({ content: 'mine' })],
  'PATCH /api/v1/reminders/{reminder_id}': [() => ({ note: 'mine' })],
  'POST /api/v1/realm/filters': [() => ({ pattern: 'x(?P<id>[0-9]+)', url_format_string: 'https://y.example/%(id)s' })],
  'POST /api/v1/messages/render': [
    ({ stream }) => ({ content: `#**${stream}**` }),
    ({ group, emoji_name: emoji }) => ({ content: `@*${group}* :${emoji}: @**Max Member** #123` }),
  ],
  'POST /api/v1/submessage': [
    ({ message_id: id }) => ({ message_id: id, ...vote }),
    ({ poll_id: id }) => ({ message_id: id, ...vote }),
  ],
  'DELETE /api/v1/messages/{message_id}/reactions': [() => ({ emoji_name: 'smile' })],
  'POST /api/v1/register': [
    ({ stream }) => ({ event_types: ['message'], narrow: [['stream', stream]] }),
    ({ email }) => ({ event_types: ['message'], narrow: [['sender', email]] }),
  ],
  'GET /api/v1/events': [({ queue_id: id }) => ({ queue_id: id, last_event_id: -1, dont_block: true })],
  'PATCH /api/v1/streams/{stream_id}': [
    () => ({ description: 'mine' }),
    () => ({ is_private: true }),
    ({ channel_folder_id: id }) => ({ folder_id: id }),
  ],
  'POST /api/v1/channel_folders/create': [() => ({ name: 'Yours', description: '' })],
  'PATCH /api/v1/channel_folders': [({ channel_folder_id: id }) => ({ order: [id] })],
  'PATCH /api/v1/default_stream_groups/{stream_group_id}/streams': [() => ({ op: 'add', stream_names: ['commons'] })],
  'POST /api/v1/users/me/subscriptions': [
    ({ email }) => ({ subscriptions: [{ name: 'commons' }], principals: [email] }),
    // A name is unique per organisation.
    ({ stream }) => ({ subscriptions: [{ name: stream }] }),
  ],
  'DELETE /api/v1/users/me/subscriptions': [
    ({ stream }) => ({ subscriptions: [stream] }),
    ({ email }) => ({ subscriptions: ['commons'], principals: [email] }),
  ],
  'PATCH /api/v1/users/me/subscriptions': [({ stream }) => ({ delete: [stream] })],
  'POST /api/v1/users/me/subscriptions/properties': [
    ({ stream_id: id }) => ({ subscription_data: [{ stream_id: id, property: 'color', value: '#123456' }] }),
  ],
  'PATCH /api/v1/users/me/subscriptions/muted_topics': [
    ({ stream }) => ({ stream, topic: 'plans', op: 'add' }),
    ({ stream_id: id }) => ({ stream_id: id, topic: 'plans', op: 'add' }),
    ({ stream_id: id }) => ({ stream_id: id, topic: 'plans', op: 'remove' }),
  ],
  'POST /api/v1/user_topics': [({ stream_id: id }) => ({ stream_id: id, topic: 'plans', visibility_policy: 3 })],
  'PATCH /api/v1/users/me/profile_data': [({ field_id: id }) => ({ data: [{ id, value: 'x' }] })],
  'DELETE /api/v1/users/me/profile_data': [({ field_id: id }) => ({ data: [id] })],
  'POST /api/v1/typing': [
    ({ email }) => ({ op: 'start', to: [email] }),
    ({ user_id: id }) => ({ op: 'start', to: [id] }),
    ({ stream_id: id }) => ({ op: 'start', type: 'stream', stream_id: id, topic: 'plans' }),
  ],
  'POST /api/v1/messages/flags/narrow': [
    ({ stream }) => ({
      ...reading,
      op: 'add',
      flag: 'starred',
      narrow: [['stream', stream]],
    }),
  ],
  'PATCH /api/v1/users/{user_id}': [
    () => ({ full_name: '"Taken Over"' }),
    ({ field_id: id }) => ({ profile_data: [{ id, value: 'x' }] }),
  ],
  'POST /api/v1/user_groups/{group_id}/members': [() => ({ add: [] }), ({ user_id: id }) => ({ add: [id] })],
  'POST /api/v1/user_groups/{group_id}/subgroups': [({ inner_group_id: id }) => ({ add: [id] })],
  'POST /api/v1/user_groups/create': [({ user_id: id }) => ({ name: 'spies', description: '', members: [id] })],
  'POST /api/v1/bots': [({ stream }) => ({ full_name: 'Spy', short_name: 'spy', default_sending_stream: stream })],
  'GET /thumbnail/': [
    ({ realm_id: realm, token }) => ({ url: `user_uploads/${realm}/00/${token}/plans.txt`, size: 'full' }),
    ({ realm_id: realm, token }) => ({ url: `/user_uploads/${realm}/00/${token}/plans.txt`, size: 'thumbnail' }),
  ],
  'POST /api/v1/users': [({ email }) => ({ email, password: 'plain words of nobody', full_name: 'Somebody New' })],
  'PATCH /api/v1/settings': [() => ({ full_name: 'Another Name' })],
  'POST /api/v1/users/me/tutorial_status': [() => ({ status: 'started' })],
  'POST /api/v1/users/me/presence': [() => ({ status: 'active' })],
  'POST /api/v1/realm/profile_fields': [() => ({ name: 'Phone', field_type: 1 })],
  'PUT /web/openid-providers/{provider}': [
    () => ({
      display_name: 'Mine',
      issuer: 'https://idp.example.com',
      client_id: 'a',
      client_secret: 'b',
      domains: ['example.com'],
    }),
  ],
  'PATCH /web/sign-in-rules': [() => ({ two_factor_required: false })],
};
