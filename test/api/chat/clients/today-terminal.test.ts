// zulip-terminal as of 2026: what it asks for when it starts, and what crashes it when it is missing.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

const EVENTS =
  'message update_message reaction submessage subscription typing update_message_flags user_settings realm_emoji realm_user';
const FETCH =
  'realm presence subscription message starred_messages update_message_flags muted_topics realm_user realm_user_groups user_settings realm_emoji custom_profile_fields zulip_version';

const START = {
  event_types: EVENTS.split(' '),
  fetch_event_types: FETCH.split(' '),
  client_gravatar: true,
  apply_markdown: true,
  include_subscribers: true,
};

let cluster: Cluster;
let node: TestNode;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'on', RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [member, other] = [await userOf(node, 'member'), await userOf(node, 'other')];
});
afterAll(() => cluster.close());

test('It finds its settings under one key, and keeps the shapes of 2.1 where it has no capability', async () => {
  const { body: stream } = await member.get('/get_stream_id', { stream: 'general' });
  const muted = { stream_id: stream.stream_id, topic: 'noise', visibility_policy: 1 };
  expect((await member.post('/user_topics', muted)).status).toBe(200);
  await member.post('/users/me/presence', { status: 'active' });
  await other.post('/messages', { type: 'private', to: [member.id], content: 'psst' });
  const { body: state } = await member.post('/register', START);
  expect(state).toMatchObject({
    zulip_feature_level: 371,
    user_settings: {
      twenty_four_hour_time: false,
      pm_content_in_desktop_notifications: true,
      send_private_typing_notifications: true,
    },
    presences: { [member.email]: { aggregated: { status: 'active' } } },
    muted_topics: [['general', 'noise', expect.any(Number)]],
    unread_msgs: { pms: [{ sender_id: other.id, other_user_id: other.id }] },
  });
  for (const each of state.subscriptions) {
    expect(each).toMatchObject({ date_created: expect.any(Number), subscribers: expect.any(Array) });
    expect(each.message_retention_days).toBeNull();
  }
  expect(state.realm_users[0]).toMatchObject({ role: expect.any(Number) });
});

test('It hears of flags and settings as it spells them, and not of typing in streams', async () => {
  const heard = await member.listen(START.event_types, { fetch_event_types: ['user_settings'] });
  const { body } = await other.post('/messages', { type: 'stream', to: 'general', topic: 'tea', content: 'hello' });
  await member.post('/messages/flags', { messages: [body.id], op: 'add', flag: 'read' });
  await member.patch('/settings/display', { twenty_four_hour_time: true });
  const { body: stream } = await member.get('/get_stream_id', { stream: 'general' });
  await other.post('/typing', { op: 'start', type: 'stream', stream_id: stream.stream_id, topic: 'tea' });
  expect(await heard()).toMatchObject([
    { type: 'message' },
    { type: 'update_message_flags', op: 'add', operation: 'add', messages: [body.id] },
    { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
  ]);
});

test('Clients of 2.1 are told of no level in what they register', async () => {
  const { user_settings: _, ...fetched } = Object.fromEntries(FETCH.split(' ').map((type) => [type, type]));
  const { body } = await member.post('/register', {
    ...START,
    event_types: [],
    fetch_event_types: Object.keys(fetched),
  });
  expect(body.zulip_version).toBe('2.1.0');
  expect(body).not.toHaveProperty('zulip_feature_level');
});
