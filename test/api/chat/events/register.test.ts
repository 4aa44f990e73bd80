import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { KEYS_OF_TYPES, REALM_KEYS } from './register-keys';

let cluster: Cluster;
let node: TestNode;
const people: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  for (const name of ['owner', 'member', 'other', 'guest', 'helper-bot']) {
    people[name] = await node.basic(`${name}@example.com`);
  }
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
const register = async (who: string, form: Fields = {}) =>
  (await node.call('/api/v1/register', { form, headers: people[who]!, method: 'POST' })).body;
const fetch = (who: string, ...types: string[]) => register(who, { fetch_event_types: JSON.stringify(types) });
const send = async (who: string, form: Fields): Promise<number> =>
  (await node.call('/api/v1/messages', { form, headers: people[who]! })).body.id;
const ALWAYS = ['result', 'msg', 'queue_id', 'last_event_id'];
const named = (list: { name: string }[], name: string) => list.find((each) => each.name === name);

describe('Initial data', () => {
  test.each(Object.entries(KEYS_OF_TYPES))(
    'The initial data of %s has exactly the specified keys',
    async (type, keys) => {
      const body = await fetch('member', type);
      expect(Object.keys(body).sort()).toEqual([...ALWAYS, ...keys].sort());
    },
  );

  test('Registration returns the initial data of every type unless the request names types', async () => {
    const everything = Object.values(KEYS_OF_TYPES).flat();
    const keys = new Set(Object.keys(await register('member')));
    expect(everything.filter((key) => !keys.has(key))).toEqual([]);
  });

  test('Initial data follows event_types only if fetch_event_types is not given', async () => {
    const limited = await register('member', { event_types: '["pointer"]' });
    expect(Object.keys(limited).sort()).toEqual([...ALWAYS, 'pointer'].sort());
    const both = await register('member', { event_types: '["message"]', fetch_event_types: '["pointer"]' });
    expect(Object.keys(both).sort()).toEqual([...ALWAYS, 'pointer'].sort());
    expect(Object.keys(await register('member', { fetch_event_types: '[]' })).sort()).toEqual([...ALWAYS].sort());
  });

  test('Unknown types add nothing to the initial data', async () => {
    expect(Object.keys(await fetch('member', 'constructor', 'weather')).sort()).toEqual([...ALWAYS].sort());
  });
});

describe('Event type realm', () => {
  test('The initial realm data has a value of the right type under every key', async () => {
    const body = await fetch('member', 'realm');
    for (const [key, example] of Object.entries(REALM_KEYS)) {
      expect([key, body[key]]).toEqual([key, example]);
    }
  });

  test("Only administrators see the organisation's credentials in the initial data", async () => {
    const kernel = await cluster.kernel();
    await kernel.mysql('chat_realms').update({ settings: JSON.stringify({ zoom_api_secret: 'hush' }) });
    expect((await fetch('owner', 'realm')).realm_zoom_api_secret).toBe('hush');
    expect((await fetch('member', 'realm')).realm_zoom_api_secret).toBe('');
    await kernel.mysql('chat_realms').update({ settings: '{}' });
  });
});

describe('Event type realm_user', () => {
  test('The initial realm_user data lists everybody by id and describes the user themselves', async () => {
    const body = await fetch('member', 'realm_user');
    const ids = body.realm_users.map(({ user_id: id }: { user_id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const self = body.realm_users.find(({ email }: { email: string }) => email === 'member@example.com');
    expect(self).toEqual({
      user_id: body.user_id,
      email: 'member@example.com',
      full_name: 'Max Member',
      avatar_url: expect.stringContaining('gravatar'),
      is_admin: false,
      is_guest: false,
      is_bot: false,
      timezone: '',
      date_joined: expect.stringMatching(/\+00:00$/),
      profile_data: {},
    });
    expect(body).toMatchObject({
      email: 'member@example.com',
      delivery_email: 'member@example.com',
      avatar_source: 'G',
      avatar_url_medium: expect.stringContaining('s=500'),
      can_create_streams: true,
      can_subscribe_other_users: true,
      enter_sends: false,
      realm_non_active_users: [],
      cross_realm_bots: [{ email: 'notification-bot@zulip.com' }],
    });
  });

  test("Initial data leaves default avatars to clients that compute them, except the user's own", async () => {
    const body = await register('member', { fetch_event_types: '["realm_user"]', client_gravatar: 'true' });
    expect(body.realm_users.every(({ avatar_url: url }: { avatar_url: unknown }) => url === null)).toBe(true);
    expect(body.avatar_url).toEqual(expect.stringContaining('gravatar'));
  });

  test('Initial data says that guests cannot create streams or subscribe others', async () => {
    expect(await fetch('guest', 'realm_user')).toMatchObject({
      is_guest: true,
      can_create_streams: false,
      can_subscribe_other_users: false,
    });
  });
});

describe('Event type realm_bot', () => {
  const bots = async (who: string) => (await fetch(who, 'realm_bot')).realm_bots as Record<string, unknown>[];

  test('Initial data shows users their own bots with keys, and all bots to administrators', async () => {
    const own = await bots('member');
    expect(own.map(({ email }) => email)).toEqual(['webhook-bot@example.com', 'helper-bot@example.com']);
    expect(own[1]).toMatchObject({
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      owner: 'member@example.com',
      bot_type: 1,
      is_active: true,
      services: [],
    });
    expect(await bots('owner')).toEqual(own);
  });

  test('Initial data shows nobody the bots of others, and shows bots to no bot', async () => {
    expect(await bots('other')).toEqual([]);
    expect(await bots('helper-bot')).toEqual([]);
  });
});

describe('Event types stream and subscription', () => {
  test('Initial data shows a member public streams and nothing of private ones', async () => {
    const body = await fetch('member', 'stream', 'subscription', 'default_streams');
    const names = body.streams.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['announcements', 'general', 'test']);
    expect(body.subscriptions.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body).toMatchObject({ unsubscribed: [], never_subscribed: [] });
    expect(JSON.stringify(body)).not.toContain('leadership');
    expect(body.realm_default_streams.map(({ name }: { name: string }) => name)).toEqual(['general']);
    expect(named(body.subscriptions, 'general')).toMatchObject({
      stream_id: expect.any(Number),
      color: '#76ce90',
      invite_only: false,
      description: 'Everything and everyone',
      pin_to_top: false,
      in_home_view: true,
      is_muted: false,
      desktop_notifications: false,
    });
  });

  test('Initial data lists subscribers as ids, and only if the request asks for them', async () => {
    const plain = await fetch('member', 'subscription');
    expect(named(plain.subscriptions, 'general')).not.toHaveProperty('subscribers');
    const form = { fetch_event_types: '["subscription"]', include_subscribers: 'true' };
    const { subscribers } = named((await register('member', form)).subscriptions, 'general') as never;
    expect(subscribers).toHaveLength(6);
    expect((subscribers as unknown[]).every(Number.isInteger)).toBe(true);
  });

  test('A stream that a user never subscribed to counts as old after a week', async () => {
    const form = { subscriptions: '[{"name":"fresh"}]' };
    await node.call('/api/v1/users/me/subscriptions', { form, headers: people['owner']! });
    const seen = async () => named((await fetch('member', 'subscription')).never_subscribed, 'fresh');
    expect(await seen()).toMatchObject({ is_old_stream: false, stream_weekly_traffic: null });
    await node.kernel
      .mysql('chat_streams')
      .where({ name: 'fresh' })
      .update({ created_at: new Date('2020-01-01') });
    expect(await seen()).toMatchObject({ is_old_stream: true });
    await node.kernel.mysql('chat_streams').where({ name: 'fresh' }).update({ is_active: false });
  });

  test('Initial data shows a guest only subscribed streams and no default streams', async () => {
    const body = await fetch('guest', 'stream', 'subscription', 'default_streams');
    expect(body.streams).toHaveLength(3);
    expect(body.never_subscribed).toEqual([]);
    expect(body.realm_default_streams).toEqual([]);
  });
});

describe('Event type message', () => {
  test('The initial max_message_id is the newest message that the user received', async () => {
    const { max_message_id: before } = await fetch('guest', 'message');
    await send('owner', { type: 'private', to: 'member@example.com', content: 'between two' });
    expect((await fetch('guest', 'message')).max_message_id).toBe(before);
    const id = await send('owner', { type: 'stream', to: 'general', topic: 't', content: 'to all' });
    expect((await fetch('guest', 'message')).max_message_id).toBe(id);
  });

  test('Recent private conversations come newest first, each with its other participants', async () => {
    const ids = (await fetch('owner', 'realm_user')).realm_users as { user_id: number; email: string }[];
    const idOf = (name: string) => ids.find(({ email }) => email === `${name}@example.com`)!.user_id;
    const group = await send('other', {
      type: 'private',
      to: '["owner@example.com","member@example.com"]',
      content: 'three',
    });
    const alone = await send('other', { type: 'private', to: 'other@example.com', content: 'note to self' });
    const pair = await send('owner', { type: 'private', to: 'other@example.com', content: 'two' });
    const body = await fetch('other', 'recent_private_conversations');
    expect(body.recent_private_conversations).toEqual([
      { max_message_id: pair, user_ids: [idOf('owner')] },
      { max_message_id: alone, user_ids: [] },
      { max_message_id: group, user_ids: [idOf('owner'), idOf('member')] },
    ]);
    expect(await fetch('guest', 'recent_private_conversations')).toMatchObject({ recent_private_conversations: [] });
  });

  test('Unread messages are returned only if both message and flag types are requested', async () => {
    const { max_message_id: last } = await fetch('guest', 'message');
    const { user_id: sender, realm_users: users } = await fetch('other', 'realm_user');
    const guest = users.find(({ email }: { email: string }) => email === 'guest@example.com').user_id;
    const stream = await send('other', { type: 'stream', to: 'test', topic: 'Unread', content: '@**Gus Guest**' });
    const pm = await send('other', { type: 'private', to: 'guest@example.com', content: 'psst' });
    const to = '["guest@example.com","owner@example.com"]';
    const huddle = await send('other', { type: 'private', to, content: 'all three' });
    expect(await fetch('guest', 'update_message_flags')).not.toHaveProperty('unread_msgs');
    const { unread_msgs: unread } = await fetch('guest', 'update_message_flags', 'message');
    expect(unread.count).toBeGreaterThanOrEqual(3);
    expect(unread.pms).toContainEqual({ sender_id: sender, unread_message_ids: [pm] });
    expect(unread.streams).toContainEqual({
      stream_id: expect.any(Number),
      topic: 'Unread',
      unread_message_ids: [stream],
      sender_ids: [sender],
    });
    const ids = (users as { user_id: number; email: string }[])
      .filter(({ email }) => ['guest@example.com', 'owner@example.com', 'other@example.com'].includes(email))
      .map(({ user_id: id }) => id);
    expect(ids).toContain(guest);
    expect(unread.huddles).toEqual([{ user_ids_string: ids.join(','), unread_message_ids: [huddle] }]);
    expect(unread.mentions).toEqual([stream]);
    expect(stream).toBeGreaterThan(last);
  });
});
