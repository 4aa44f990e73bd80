// What unmodified clients of the Zulip 2.1 era send when they start, parameter by parameter, with the default rate
// limit.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { basicHeader, type Answer } from '../../../support/http/client';

const LIST = expect.any(Array);
const UNREAD = { count: expect.any(Number), pms: LIST, streams: LIST, huddles: LIST, mentions: LIST };

let cluster: Cluster;
let nodes: TestNode[];
let turn = 0;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
});
afterAll(() => cluster.close());

type Params = Record<string, unknown>;
/** All of these clients write parameters like this: text as it is, everything else as JSON. */
const written = (params: Params) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

/** A program with its own name, behind a load balancer that sends each request to the other node. */
function program(agent: string, email: string) {
  let headers: Record<string, string> = { 'User-Agent': agent };
  async function ask(method: string, path: string, params: Params): Promise<Answer['body']> {
    const node = nodes[(turn += 1) % nodes.length]!;
    const given = method === 'GET' ? { query: written(params) } : { form: written(params) };
    const { status, body } = await node.call(path, { method, headers, ...given });
    expect([path, status, body]).toEqual([path, 200, expect.objectContaining({ result: 'success', msg: '' })]);
    return body;
  }
  return {
    get: (path: string, params: Params = {}) => ask('GET', `/api/v1${path}`, params),
    post: (path: string, params: Params = {}) => ask('POST', `/api/v1${path}`, params),
    patch: (path: string, params: Params = {}) => ask('PATCH', `/api/v1${path}`, params),
    del: (path: string, params: Params = {}) => ask('DELETE', `/api/v1${path}`, params),
    async login() {
      const { api_key: key } = await ask('POST', '/api/v1/fetch_api_key', { username: email, password: 'demo' });
      headers = { ...headers, ...basicHeader(email, key as string) };
    },
  };
}

const message = (content: unknown) => ({ type: 'message', message: expect.objectContaining({ content }) });

describe('Python client 0.6.3', () => {
  const AGENT = 'ZulipPython/0.6.3 (Ubuntu; 18.04)';

  test('A Python bot reads its profile, registers for messages, receives one and replies', async () => {
    const person = program(AGENT, 'other@example.com');
    await person.login();
    const bot = program('ZulipHelloworldBot (Debian; 10)', 'member@example.com');
    await bot.login();
    expect(await bot.get('/users/me')).toMatchObject({
      full_name: expect.any(String),
      email: 'member@example.com',
      user_id: expect.any(Number),
    });
    const { queue_id, last_event_id } = await bot.post('/register', { event_types: ['message'], narrow: [] });
    expect([typeof queue_id, last_event_id]).toEqual(['string', -1]);

    await person.post('/messages', { type: 'stream', to: 'test', subject: 'bots', content: '@**Max Member** hello' });
    const { events } = await bot.get('/events', { queue_id, last_event_id });
    expect(events).toEqual([{ ...message('@**Max Member** hello'), id: expect.any(Number), flags: expect.any(Array) }]);
    const { display_recipient: to, subject } = events[0].message;
    await bot.post('/messages', { type: 'stream', to, subject, content: 'beep boop' });
    await bot.post('/messages', { type: 'private', to: ['other@example.com'], content: 'beep' });
    await bot.del('/events', { queue_id });
  });

  test('A retried request of the Python client may carry dont_block on any route', async () => {
    const client = program(AGENT, 'other@example.com');
    await client.login();
    await client.get('/users/me', { dont_block: true });
    await client.post('/register', { narrow: [], dont_block: true });
  });

  test('The Python client lists streams and users, and subscribes with an empty list of principals', async () => {
    const client = program(AGENT, 'owner@example.com');
    await client.login();
    expect(await client.get('/streams', {})).toMatchObject({ streams: expect.any(Array) });
    expect(await client.get('/users', {})).toMatchObject({ members: expect.any(Array) });
    await client.post('/users/me/subscriptions', { subscriptions: [{ name: 'python' }], principals: [] });
    const { stream_id } = await client.get('/get_stream_id', { stream: 'python' });
    expect(await client.get(`/streams/${stream_id}/members`, { stream: 'python', name: 'python' })).toMatchObject({
      subscribers: ['owner@example.com'],
    });
    await client.del('/users/me/subscriptions', { subscriptions: ['python'], principals: [] });
  });
});

describe('Hubot', () => {
  test('Hubot names its client in every request and sends to a list of one stream', async () => {
    const client = program('node', 'other@example.com');
    await client.login();
    const { queue_id, last_event_id } = await client.post('/register', {
      client: 'Hubot',
      event_types: ['message'],
      all_public_streams: true,
    });
    await client.post('/messages', {
      client: 'Hubot',
      type: 'stream',
      to: ['test'],
      subject: 'hubot',
      content: 'badgers',
    });
    const { events } = await client.get('/events', { client: 'Hubot', queue_id, last_event_id });
    expect(events[0]).toMatchObject(message('badgers'));
    for (const key of ['sender_email', 'sender_full_name', 'id', 'type', 'display_recipient', 'subject']) {
      expect(events[0].message).toHaveProperty(key);
    }
  });
});

describe('Zulip Terminal 0.5', () => {
  const AGENT = 'ZulipTerminal/0.5.0 Linux-5.4.0-x86_64-with-debian-10 (Debian; 10)';
  const FETCH = 'realm presence subscription message update_message_flags muted_topics realm_user realm_user_groups';
  const EVENTS = 'message update_message reaction subscription typing update_message_flags';

  test('Zulip Terminal starts with sixty streams, reads their topics and receives a message', async () => {
    const admin = program('curl/7.68.0', 'owner@example.com');
    await admin.login();
    const names = Array.from({ length: 60 }, (_, at) => ({ name: `terminal ${at}` }));
    await admin.post('/users/me/subscriptions', { subscriptions: names, principals: ['guest@example.com'] });

    const client = program(AGENT, 'guest@example.com');
    expect(await client.get('/server_settings')).toMatchObject({
      require_email_format_usernames: true,
      email_auth_enabled: true,
    });
    await client.login();
    await client.get('/messages', {
      anchor: 0,
      num_before: 30,
      num_after: 10,
      apply_markdown: true,
      use_first_unread_anchor: true,
      client_gravatar: true,
      narrow: '[]',
    });
    const state = await client.post('/register', {
      event_types: EVENTS.split(' '),
      fetch_event_types: FETCH.split(' '),
      client_gravatar: true,
      apply_markdown: true,
      narrow: [],
    });
    expect(state).toMatchObject({
      user_id: expect.any(Number),
      email: 'guest@example.com',
      full_name: 'Gus Guest',
      realm_name: 'Example Organization',
      presences: expect.any(Object),
      cross_realm_bots: expect.any(Array),
      muted_topics: [],
      realm_user_groups: [],
      max_message_id: expect.any(Number),
      unread_msgs: UNREAD,
    });
    const users = state.realm_users as { user_id: number; email: string }[];
    expect(users.map(({ user_id: id }) => id)).toContain(state.user_id);
    for (const stream of state.subscriptions) {
      expect(stream).toMatchObject({
        name: expect.any(String),
        stream_id: expect.any(Number),
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        invite_only: false,
        description: expect.any(String),
        pin_to_top: false,
        in_home_view: true,
      });
    }

    const ids = (state.subscriptions as { stream_id: number }[]).map(({ stream_id: id }) => id);
    const unread = (state.unread_msgs.streams as { stream_id: number }[]).map(({ stream_id: id }) => id);
    // It looks up each of them among the subscriptions, and crashes if there is none.
    expect(unread.filter((id) => !ids.includes(id))).toEqual([]);

    // Five threads, and any failure ends the program.
    expect(ids.length).toBeGreaterThan(60);
    await Promise.all(
      Array.from({ length: 5 }, async (_, thread) => {
        for (const id of ids.filter((__, at) => at % 5 === thread)) {
          expect(await client.get(`/users/me/${id}/topics`)).toMatchObject({ topics: expect.any(Array) });
        }
      }),
    );
    const presence = { status: 'active', ping_only: false, new_user_input: false };
    expect(await client.post('/users/me/presence', presence)).toMatchObject({
      presences: { 'guest@example.com': { aggregated: expect.objectContaining({ status: 'active' }) } },
      server_timestamp: expect.any(Number),
    });
    await admin.post('/messages', { type: 'private', to: 'guest@example.com', content: 'welcome' });
    const { queue_id, last_event_id } = state;
    const { events } = await client.get('/events', { queue_id, last_event_id });
    expect(events.at(-1)).toMatchObject(message('<p>welcome</p>'));
    const narrowed = { anchor: 0, num_before: 30, num_after: 10, use_first_unread_anchor: true, apply_markdown: true };
    const { messages } = await client.get('/messages', {
      ...narrowed,
      client_gravatar: true,
      narrow: '[["pm_with", "owner@example.com, guest@example.com"]]',
    });
    expect(messages).toEqual([expect.objectContaining({ content: '<p>welcome</p>', avatar_url: null })]);
  });
});
