/**
 * Rights are checked when an event is delivered: by the poll answered from memory, the ordinary poll and the stream.
 */
import { callerOf, demoPeople, type Caller, type DemoPeople } from '../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  one = await cluster.node();
  two = await cluster.node();
  people = await demoPeople(one);
});
afterAll(() => cluster.close());

// oxlint-disable-next-line typescript/no-explicit-any -- events of every shape
type Event = any;

interface Queue {
  readonly owner: Caller;
  readonly id: string;
}

/** An unknown parameter keeps a poll off the fast path. */
const WAYS = {
  'from memory': {},
  'the ordinary way': { include_subscribers: 'false' },
} as const;
type Way = keyof typeof WAYS;
const ways = Object.keys(WAYS) as Way[];

async function register(owner: Caller, form: Record<string, string> = {}): Promise<Queue> {
  const { body } = await owner.post('/register', form);
  const queue = { owner, id: (body as { queue_id: string }).queue_id };
  // From here on the node has the queue and its owner in memory, so the next poll can be answered from there.
  for (const at of [one, two]) await poll(queue, 'from memory', { at });
  return queue;
}

async function poll(queue: Queue, way: Way, { at = one, wait = false, last = -1 } = {}): Promise<Event[]> {
  const query: Record<string, string> = { queue_id: queue.id, last_event_id: String(last) };
  const { body } = await at.call('/api/v1/events', {
    query: { ...query, ...(wait ? {} : { dont_block: 'true' }), ...WAYS[way] },
    headers: queue.owner.headers,
  });
  return (body as { events?: Event[] }).events ?? [];
}

/** The events of the queue once an event with this text, which every user receives, has arrived on the node. */
async function pollUntil(queue: Queue, way: Way, at: TestNode, marker: string): Promise<Event[]> {
  return until(
    () => poll(queue, way, { at }),
    (events) => JSON.stringify(events).includes(marker),
  );
}

let count = 0;
const unique = (name: string) => `${name}${(count += 1)}`;

/** Every user receives a status event, which can carry any text. */
async function mark(): Promise<string> {
  const marker = unique('marker-');
  await people.owner.post('/users/me/status', { status_text: marker });
  return marker;
}

async function newBot(owner: Caller): Promise<{ id: number; key: string }> {
  const name = unique('keeper');
  const { body } = await owner.post('/bots', { full_name: `Bot ${name}`, short_name: name });
  const { user_id: id, api_key: key } = body as { user_id: number; api_key: string };
  return { id, key };
}

async function newKey(by: Caller, botId: number): Promise<string> {
  const { status, body } = await by.post(`/bots/${botId}/api_key/regenerate`);
  expect(status).toBe(200);
  return (body as { api_key: string }).api_key;
}

const setRole = async (who: Caller, role: Record<string, boolean>) => {
  const form = Object.fromEntries(Object.entries(role).map(([name, value]) => [name, String(value)]));
  expect((await people.owner.patch(`/users/${who.id}`, form)).status).toBe(200);
};

describe.each(ways)('Polls that are answered %s', (way) => {
  test('A poll does not bring a former owner the new key of a bot', async () => {
    const { owner, member, other } = people;
    const [mine, theirs] = [await register(member), await register(other)];
    const bot = await newBot(member);
    expect((await owner.patch(`/bots/${bot.id}`, { bot_owner_id: String(other.id) })).status).toBe(200);
    const key = await newKey(other, bot.id);
    const marker = await mark();
    for (const at of [one, two]) {
      const events = await pollUntil(mine, way, at, marker);
      const about = events.filter(
        ({ type, bot: { user_id: id } = {} as Event }) => type === 'realm_bot' && id === bot.id,
      );
      expect(about.map(({ op, bot: { api_key: shown } }) => [op, shown])).toEqual([
        ['add', null],
        ['remove', undefined],
      ]);
      expect(JSON.stringify(events)).not.toContain(key);
      expect(JSON.stringify(await pollUntil(theirs, way, at, marker))).toContain(key);
    }
  });

  test('A poll does not bring a demoted administrator keys of bots, nor events about bots and private streams', async () => {
    const { owner, member, other } = people;
    await setRole(other, { is_admin: true });
    const queue = await register(other);
    const bot = await newBot(member);
    const secret = unique('secret-stream-');
    const subscriptions = JSON.stringify([{ name: secret, description: 'before' }]);
    await owner.post('/users/me/subscriptions', { subscriptions, invite_only: 'true' });
    const early = await pollUntil(queue, way, one, bot.key);
    expect(JSON.stringify(early)).toContain(secret);
    await setRole(other, { is_admin: false });
    const key = await newKey(member, bot.id);
    const principals = JSON.stringify([member.email]);
    await owner.post('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: secret }]), principals });
    const marker = await mark();
    for (const at of [one, two]) {
      const events = await pollUntil(queue, way, at, marker);
      expect(events.filter(({ type }) => type === 'realm_bot')).toEqual([]);
      for (const hidden of [key, bot.key, secret]) expect(JSON.stringify(events)).not.toContain(hidden);
    }
  });

  test('A poll brings a user who was removed from a private stream no later event of that stream', async () => {
    const { owner, member, other } = people;
    const stream = unique('closed-');
    const subscriptions = JSON.stringify([{ name: stream }]);
    const principals = JSON.stringify([owner.email, other.email]);
    await owner.post('/users/me/subscriptions', { subscriptions, principals, invite_only: 'true' });
    const queue = await register(other);
    const say = (content: string) => owner.post('/messages', { type: 'stream', to: stream, topic: 'plans', content });
    await say('heard-while-there');
    await owner.del('/users/me/subscriptions', {
      subscriptions: JSON.stringify([stream]),
      principals: JSON.stringify([other.email]),
    });
    await say('said-after-the-loss');
    const { body } = await owner.get('/get_stream_id', { stream });
    await owner.patch(`/streams/${(body as { stream_id: number }).stream_id}`, {
      description: JSON.stringify('described-after-the-loss'),
    });
    await owner.post('/users/me/subscriptions', { subscriptions, principals: JSON.stringify([member.email]) });
    const marker = await mark();
    for (const at of [one, two]) {
      const events = await pollUntil(queue, way, at, marker);
      const text = JSON.stringify(events);
      // A message that users have received stays visible to them, as on the real server.
      expect(text).toContain('heard-while-there');
      for (const hidden of ['said-after-the-loss', 'described-after-the-loss']) expect(text).not.toContain(hidden);
      const peers = events.filter(({ type, op }) => type === 'subscription' && String(op).startsWith('peer_'));
      expect(peers.filter(({ subscriptions: names }) => names.includes(stream))).toEqual([]);
    }
  });

  test('A poll brings a member who became a guest no events of unsubscribed public streams', async () => {
    const { owner, other } = people;
    const stream = unique('open-');
    const subscriptions = JSON.stringify([{ name: stream }]);
    await owner.post('/users/me/subscriptions', { subscriptions });
    const queue = await register(other, { all_public_streams: 'true' });
    const held = poll(queue, way, { at: two, wait: true });
    const say = (content: string) => owner.post('/messages', { type: 'stream', to: stream, topic: 'open', content });
    await setRole(other, { is_guest: true });
    await say('said-to-members');
    const fresh = unique('fresh-');
    await owner.post('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: fresh }]) });
    const { body } = await owner.get('/get_stream_id', { stream });
    await owner.patch(`/streams/${(body as { stream_id: number }).stream_id}`, {
      description: JSON.stringify('described-to-members'),
    });
    const marker = await mark();
    const texts = [JSON.stringify(await held)];
    for (const at of [one, two]) texts.push(JSON.stringify(await pollUntil(queue, way, at, marker)));
    await setRole(other, { is_guest: false });
    for (const text of texts) {
      for (const hidden of ['said-to-members', fresh, 'described-to-members']) expect(text).not.toContain(hidden);
    }
  });

  test('A poll gets 401 on every node once the account is deactivated', async () => {
    const { owner } = people;
    const email = `${unique('leaver')}@example.com`;
    await owner.post('/users', {
      email,
      password: 'a long and winding road 71',
      full_name: 'Lee Ver',
      short_name: 'l',
    });
    const leaver = await callerOf(one, email);
    const queue = await register(leaver);
    const held = poll(queue, way, { at: two, wait: true });
    expect((await owner.del(`/users/${leaver.id}`)).status).toBe(200);
    await mark();
    expect(JSON.stringify(await held)).not.toContain('marker-');
    for (const at of [one, two]) {
      const answers = await until(
        () =>
          at.call('/api/v1/events', {
            query: { queue_id: queue.id, last_event_id: '-1', dont_block: 'true', ...WAYS[way] },
            headers: leaver.headers,
          }),
        ({ status }) => status === 401,
      );
      expect(answers.body).toMatchObject({ result: 'error', msg: 'Account is deactivated' });
    }
  });
});
