/** What can be asked of another organisation's things: every endpoint that takes an id, a name, a queue or a file. */

/** One organisation's things, or things that never were. */
export interface Things {
  readonly message_id: number;
  readonly private_id: number;
  readonly poll_id: number;
  readonly stream_id: number;
  readonly stream: string;
  readonly user_id: number;
  readonly bot_id: number;
  readonly email: string;
  readonly group_id: number;
  readonly group: string;
  readonly field_id: number;
  readonly filter_id: number;
  readonly domain: string;
  readonly stream_group_id: number;
  readonly export_id: number;
  readonly attachment_id: number;
  readonly emoji_name: string;
  readonly emoji_id: number;
  readonly realm_id: number;
  readonly queue_id: string;
  readonly token: string;
  /** An invitation by mail, and a reusable link. */
  readonly invite_id: number;
  readonly link_id: number;
  /** The name of the file of an uploaded avatar. */
  readonly avatar: string;
  readonly session_id: number;
}

export const NOTHING: Things = {
  message_id: 987_654_301,
  private_id: 987_654_302,
  poll_id: 987_654_313,
  stream_id: 987_654_303,
  stream: 'never made',
  user_id: 987_654_304,
  bot_id: 987_654_305,
  email: 'never-was@example.com',
  group_id: 987_654_306,
  group: 'nobody',
  field_id: 987_654_307,
  filter_id: 987_654_308,
  domain: 'never-was.example',
  stream_group_id: 987_654_312,
  export_id: 987_654_314,
  attachment_id: 987_654_309,
  emoji_name: 'never_drawn',
  emoji_id: 987_654_310,
  realm_id: 987_654_311,
  queue_id: `${'0'.repeat(32)}:1`,
  token: 'x'.repeat(32),
  invite_id: 987_654_315,
  link_id: 987_654_316,
  avatar: `${'0'.repeat(40)}.png`,
  session_id: 987_654_320,
};

/** The file that an address of pictures ends with. */
export function fileIn(path: string, things: Things): string {
  if (path.includes('/emoji/')) return `${things.emoji_id}.png`;
  return path.includes('/realm/') ? 'icon.png' : things.avatar;
}

type Fields = Readonly<Record<string, unknown>>;
/** By method and path as in the OpenAPI document. Those that make something in any case come last. */
type Asks = Readonly<Record<string, readonly ((things: Things) => Fields)[]>>;

const asIs = () => ({});
const NARROWS = (things: Things) => [
  ['stream', things.stream],
  ['sender', things.email],
  ['pm-with', things.email],
  ['group-pm-with', things.email],
  ['id', String(things.message_id)],
  ['near', String(things.message_id)],
];
const reading = { anchor: 10_000_000_000_000_000, num_before: 10, num_after: 0 };

export const FOREIGN_ASKS: Asks = {
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
  'POST /api/v1/mark_stream_as_read': [({ stream_id: id }) => ({ stream_id: id })],
  'POST /api/v1/mark_topic_as_read': [({ stream_id: id }) => ({ stream_id: id, topic_name: 'plans' })],
  'POST /api/v1/messages/flags': [
    ({ message_id: id }) => ({ messages: [id], op: 'add', flag: 'starred' }),
    ({ private_id: id }) => ({ messages: [id], op: 'add', flag: 'read' }),
  ],
  'POST /api/v1/messages/render': [
    ({ stream }) => ({ content: `#**${stream}**` }),
    ({ group, emoji_name: emoji }) => ({ content: `@*${group}* :${emoji}: @**Max Member** #123` }),
  ],
  'GET /api/v1/messages/{message_id}': [asIs],
  'GET /api/v1/messages/{message_id}/history': [asIs],
  'PATCH /api/v1/messages/{message_id}': [() => ({ content: 'mine now' })],
  'DELETE /api/v1/messages/{message_id}': [asIs],
  'POST /api/v1/messages/{message_id}/reactions': [() => ({ emoji_name: 'smile' })],
  'DELETE /api/v1/messages/{message_id}/reactions': [() => ({ emoji_name: 'smile' })],
  'POST /api/v1/submessage': [
    ({ message_id: id }) => ({ message_id: id, msg_type: 'widget', content: '{"type":"vote"}' }),
    ({ poll_id: id }) => ({ message_id: id, msg_type: 'widget', content: '{"type":"vote"}' }),
  ],
  'GET /api/v1/events': [({ queue_id: id }) => ({ queue_id: id, last_event_id: -1, dont_block: true })],
  'DELETE /api/v1/events': [({ queue_id: id }) => ({ queue_id: id })],
  'PATCH /api/v1/realm': [
    ({ stream_id: id }) => ({ notifications_stream_id: id }),
    ({ stream_id: id }) => ({ signup_notifications_stream_id: id }),
  ],
  'GET /api/v1/get_stream_id': [({ stream }) => ({ stream })],
  'GET /api/v1/streams/{stream_id}/members': [asIs],
  'PATCH /api/v1/streams/{stream_id}': [() => ({ description: 'mine' }), () => ({ is_private: true })],
  'DELETE /api/v1/streams/{stream_id}': [asIs],
  'POST /api/v1/streams/{stream_id}/delete_topic': [() => ({ topic_name: 'plans' })],
  'GET /api/v1/users/me/{stream_id}/topics': [asIs],
  'POST /api/v1/default_stream_groups/create': [
    ({ stream }) => ({ group_name: 'spies', description: '', stream_names: [stream] }),
  ],
  'PATCH /api/v1/default_stream_groups/{stream_group_id}': [() => ({ new_description: 'mine' })],
  'PATCH /api/v1/default_stream_groups/{stream_group_id}/streams': [() => ({ op: 'add', stream_names: ['commons'] })],
  'DELETE /api/v1/default_stream_groups/{stream_group_id}': [asIs],
  'GET /api/v1/export/realm/{export_id}/archive': [asIs],
  'DELETE /api/v1/export/realm/{export_id}': [asIs],
  'PATCH /api/v1/realm/domains/{domain}': [() => ({ allow_subdomains: true })],
  'DELETE /api/v1/realm/domains/{domain}': [asIs],
  'POST /api/v1/default_streams': [({ stream }) => ({ stream_name: stream })],
  'DELETE /api/v1/default_streams': [({ stream }) => ({ stream_name: stream })],
  'DELETE /api/v1/users/me/subscriptions': [
    ({ stream }) => ({ subscriptions: [stream] }),
    ({ email }) => ({ subscriptions: ['commons'], principals: [email] }),
  ],
  'POST /api/v1/users/me/subscriptions/properties': [
    ({ stream_id: id }) => ({ subscription_data: [{ stream_id: id, property: 'color', value: '#123456' }] }),
  ],
  'PATCH /api/v1/users/me/subscriptions/muted_topics': [
    ({ stream }) => ({ stream, topic: 'plans', op: 'add' }),
    ({ stream_id: id }) => ({ stream_id: id, topic: 'plans', op: 'add' }),
    ({ stream_id: id }) => ({ stream_id: id, topic: 'plans', op: 'remove' }),
  ],
  'PATCH /api/v1/users/me/subscriptions/{stream_id}': [() => ({ property: 'color', value: '"#123456"' })],
  'PATCH /api/v1/users/me/profile_data': [({ field_id: id }) => ({ data: [{ id, value: 'x' }] })],
  'DELETE /api/v1/users/me/profile_data': [({ field_id: id }) => ({ data: [id] })],
  'POST /api/v1/users/me/pointer': [({ message_id: id }) => ({ pointer: id })],
  'PUT /api/v1/users/me/pointer': [({ message_id: id }) => ({ pointer: id })],
  'GET /api/v1/users/{email}/presence': [asIs],
  'POST /api/v1/typing': [
    ({ email }) => ({ op: 'start', to: [email] }),
    ({ user_id: id }) => ({ op: 'start', to: [id] }),
  ],
  'PATCH /api/v1/users/{user_id}': [() => ({ full_name: '"Taken Over"' })],
  'DELETE /api/v1/users/{user_id}': [asIs],
  'POST /api/v1/users/{user_id}/reactivate': [asIs],
  'PATCH /api/v1/bots/{bot_id}': [() => ({ full_name: '"Taken Over"' })],
  'DELETE /api/v1/bots/{bot_id}': [asIs],
  'POST /api/v1/bots/{bot_id}/api_key/regenerate': [asIs],
  'GET /api/v1/bots/{bot_id}/zuliprc': [asIs],
  'GET /api/v1/bots/{bot_id}/signature': [asIs],
  'PUT /api/v1/bots/{bot_id}/signature': [() => ({ scheme: 'hmac', secret: 'mine now' })],
  'DELETE /api/v1/bots/{bot_id}/signature': [asIs],
  'PATCH /api/v1/user_groups/{group_id}': [() => ({ name: 'mine', description: '' })],
  'DELETE /api/v1/user_groups/{group_id}': [asIs],
  'POST /api/v1/user_groups/{group_id}/members': [() => ({ add: [] }), ({ user_id: id }) => ({ add: [id] })],
  'PATCH /api/v1/realm/profile_fields': [({ field_id: id }) => ({ order: [id] })],
  'PATCH /api/v1/realm/profile_fields/{field_id}': [() => ({ name: 'Mine' })],
  'DELETE /api/v1/realm/profile_fields/{field_id}': [asIs],
  'DELETE /api/v1/realm/emoji/{emoji_name}': [asIs],
  'DELETE /api/v1/realm/filters/{filter_id}': [asIs],
  'DELETE /api/v1/attachments/{attachment_id}': [asIs],
  'DELETE /web/sessions/{session_id}': [asIs],
  'DELETE /web/users/{user_id}/two-factor': [asIs],
  'GET /user_uploads/{realm_id}/{shelf}/{token}/{name}': [asIs],
  'GET /thumbnail/': [
    ({ realm_id: realm, token }) => ({ url: `user_uploads/${realm}/00/${token}/plans.txt`, size: 'full' }),
    ({ realm_id: realm, token }) => ({ url: `/user_uploads/${realm}/00/${token}/plans.txt`, size: 'thumbnail' }),
  ],
  'GET /user_avatars/{realm_id}/emoji/images/{file}': [asIs],
  'DELETE /api/v1/invites/{invite_id}': [asIs],
  'POST /api/v1/invites/{invite_id}/resend': [asIs],
  'DELETE /api/v1/invites/multiuse/{link_id}': [asIs],
  'POST /api/v1/invites': [({ stream_id: id }) => ({ invitee_emails: 'new@example.net', stream_ids: [id] })],
  'POST /api/v1/invites/multiuse': [({ stream_id: id }) => ({ stream_ids: [id] })],
  'GET /user_avatars/{realm_id}/realm/{file}': [asIs],
  'GET /user_avatars/{realm_id}/{file}': [asIs],
  'POST /api/v1/register': [
    ({ stream }) => ({ event_types: ['message'], narrow: [['stream', stream]] }),
    ({ email }) => ({ event_types: ['message'], narrow: [['sender', email]] }),
  ],
  'POST /api/v1/bots': [({ stream }) => ({ full_name: 'Spy', short_name: 'spy', default_sending_stream: stream })],
  'POST /api/v1/user_groups/create': [({ user_id: id }) => ({ name: 'spies', description: '', members: [id] })],
  'PATCH /api/v1/users/me/subscriptions': [({ stream }) => ({ delete: [stream] })],
  'POST /api/v1/users/me/subscriptions': [
    ({ email }) => ({ subscriptions: [{ name: 'commons' }], principals: [email] }),
    // A name is free in each organisation.
    ({ stream }) => ({ subscriptions: [{ name: stream }] }),
  ],
  'POST /api/v1/users': [({ email }) => ({ email, password: 'plain words of nobody', full_name: 'Somebody New' })],
};
