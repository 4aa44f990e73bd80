// ZulipMobile 26.20: what it sends from the first screen to the first reply, and what breaks it when it is missing.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { basicHeader, type Answer } from '../../../support/http/client';

const AGENT = 'ZulipMobile/26.20.143 (Android 9)';
const FETCH_TYPES = [
  'alert_words',
  'message',
  'muted_topics',
  'presence',
  'realm',
  'realm_emoji',
  'realm_filters',
  'realm_user',
  'realm_user_groups',
  'stream',
  'subscription',
  'update_display_settings',
  'update_global_notifications',
  'update_message_flags',
  'user_status',
];

const LIST = expect.any(Array);
const UNREAD = { count: expect.any(Number), pms: LIST, streams: LIST, huddles: LIST, mentions: LIST };

let cluster: Cluster;
let nodes: TestNode[];
let headers: Record<string, string> = { 'User-Agent': AGENT };
let turn = 0;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'off' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
});
afterAll(() => cluster.close());

/** Bodies are urlencoded whatever the method; the two nodes take turns. */
async function ask(method: string, path: string, params: Record<string, string> = {}): Promise<Answer['body']> {
  const given = method === 'GET' ? { query: params } : { form: params };
  const answer = await nodes[(turn += 1) % 2]!.call(`/api/v1${path}`, { method, headers, ...given });
  expect([path, answer.status, answer.body]).toEqual([path, 200, expect.objectContaining({ result: 'success' })]);
  return answer.body;
}

test('The first screen of the mobile app gets the server settings and logs in', async () => {
  expect(await ask('GET', '/server_settings?')).toMatchObject({
    authentication_methods: expect.objectContaining({ password: true }),
    external_authentication_methods: expect.any(Array),
    realm_name: expect.any(String),
    realm_icon: expect.any(String),
    realm_uri: expect.any(String),
    require_email_format_usernames: true,
    email_auth_enabled: true,
    push_notifications_enabled: false,
    zulip_version: expect.stringMatching(/^2\.1/),
  });
  const { api_key: key } = await ask('POST', '/fetch_api_key', { username: 'member@example.com', password: 'demo' });
  headers = { ...headers, ...basicHeader('member@example.com', key) };
});

let queue: { queue_id: string; last_event_id: number };

test('Registration returns every field that the mobile app reads', async () => {
  const state = await ask('POST', '/register', {
    fetch_event_types: JSON.stringify(FETCH_TYPES),
    apply_markdown: 'true',
    client_gravatar: 'true',
    include_subscribers: 'false',
    client_capabilities: JSON.stringify({ notification_settings_null: true }),
  });
  queue = state;
  // It crashes if this is not an object.
  expect(state.realm_emoji).toEqual({});
  expect(state).toMatchObject({
    alert_words: [],
    max_message_id: expect.any(Number),
    unread_msgs: UNREAD,
    muted_topics: [],
    presences: expect.any(Object),
    realm_filters: [],
    realm_users: expect.any(Array),
    realm_non_active_users: expect.any(Array),
    cross_realm_bots: expect.any(Array),
    realm_user_groups: [],
    streams: expect.any(Array),
    subscriptions: expect.any(Array),
    user_status: {},
    user_id: expect.any(Number),
    email: 'member@example.com',
    is_admin: false,
    realm_name: expect.any(String),
    realm_allow_message_editing: true,
    realm_message_content_edit_limit_seconds: 600,
    twenty_four_hour_time: false,
    enable_offline_push_notifications: true,
    enable_online_push_notifications: false,
    enable_stream_push_notifications: false,
    night_mode: false,
  });
  expect(state.realm_users[0]).toMatchObject({ avatar_url: null });
});

test('The mobile app gets its first messages from both ends, with and without the unread anchor', async () => {
  const common = { narrow: '[]', num_before: '50', num_after: '50', apply_markdown: 'true', client_gravatar: 'true' };
  for (const anchor of ['0', '9007199254740991']) {
    for (const use_first_unread_anchor of ['true', 'false']) {
      expect(await ask('GET', '/messages', { ...common, anchor, use_first_unread_anchor })).toMatchObject({
        messages: expect.any(Array),
        found_newest: true,
        found_oldest: true,
      });
    }
  }
});

test('The mobile app reports its presence and registers its device for push notifications', async () => {
  expect(await ask('POST', '/users/me/presence', { status: 'active', new_user_input: 'false' })).toMatchObject({
    presences: { 'member@example.com': { ZulipMobile: expect.objectContaining({ status: 'active' }) } },
    server_timestamp: expect.any(Number),
  });
  await ask('POST', '/users/me/android_gcm_reg_id', { token: 'a-token' });
});

test('A message that the mobile app sends twice with one local id comes back once in its queue', async () => {
  const { queue_id } = queue;
  const draft = { type: 'private', to: 'other@example.com,owner@example.com', content: 'from *mobile*', subject: '' };
  const send = () => ask('POST', '/messages', { ...draft, local_id: '1573750000.25', queue_id });
  const { id } = await send();
  expect((await send()).id).toBe(id);
  const { events } = await ask('GET', '/events', { queue_id, last_event_id: String(queue.last_event_id) });
  const told = (events as { type: string }[]).filter(({ type }) => type === 'message');
  expect(told).toEqual([
    expect.objectContaining({
      local_message_id: '1573750000.25',
      flags: ['read'],
      message: expect.objectContaining({ id, content: '<p>from <em>mobile</em></p>', avatar_url: null }),
    }),
  ]);
  queue.last_event_id = events.at(-1).id;
});

test('The mobile app lists the topics of a stream, and subscribes and unsubscribes', async () => {
  await ask('POST', '/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: 'mobile' }]) });
  const { stream_id: id } = await ask('GET', '/get_stream_id', { stream: 'mobile' });
  expect(await ask('GET', `/users/me/${id}/topics`)).toMatchObject({ topics: expect.any(Array) });
  await ask('DELETE', '/users/me/subscriptions', { subscriptions: '["mobile"]' });
});
