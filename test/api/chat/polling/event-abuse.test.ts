// Misbehaving clients are limited with clear errors, and do not affect other clients.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let member: Record<string, string>;
let other: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await node.basic('member@example.com');
  other = await node.basic('other@example.com');
});
afterAll(() => cluster.close());

type Headers = Record<string, string>;
const register = async (headers: Headers): Promise<string> =>
  (
    await node.call('/api/v1/register', {
      method: 'POST',
      form: { event_types: '["message"]', fetch_event_types: '["message"]' },
      headers,
    })
  ).body.queue_id as string;
const poll = (queue_id: string, last_event_id: number, headers: Headers) =>
  node.call('/api/v1/events', { query: { queue_id, last_event_id: String(last_event_id) }, headers });
const say = (content: string) =>
  node.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic: 'abuse', content }, headers: other });

describe('Clients that never acknowledge events', () => {
  test('A client that never acknowledges large events is throttled until it acknowledges them', async () => {
    const [stubborn, diligent, witness] = await Promise.all([register(member), register(other), register(other)]);
    for (let count = 0; count < 12; count += 1) await say('x'.repeat(9000));
    // A send may be answered before its event is published.
    for (let heard = 0, last = -1; heard < 12;) {
      const { events } = (await poll(witness, last, other)).body as { events: { id: number }[] };
      heard += events.length;
      last = events.at(-1)!.id;
    }
    const first = await poll(stubborn, -1, member);
    expect(first.body.events).toHaveLength(12);
    expect((await poll(stubborn, -1, member)).status).toBe(200);
    const refused = await poll(stubborn, -1, member);
    expect(refused.status).toBe(429);
    expect(refused.body.msg).toBe('These events were sent before: acknowledge them, or ask for them less often');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Other clients are not throttled.
    expect((await poll(diligent, -1, other)).body.events).toHaveLength(12);
    // Acknowledging is always possible, and the refusal ends by itself.
    await until(
      async () => (await poll(stubborn, -1, member)).status,
      (status) => status === 200,
    );
    const last = first.body.events.at(-1).id as number;
    await say('short');
    const next = await poll(stubborn, last, member);
    expect(next.body.events.map((event: { message: { content: string } }) => event.message.content)).toEqual(['short']);
  });

  test('A client may fetch a few small unacknowledged events as often as it likes', async () => {
    const queue = await register(member);
    await say('little');
    for (let times = 0; times < 5; times += 1) expect((await poll(queue, -1, member)).body.events).toHaveLength(1);
  });
});

test('A user who registers again and again leaves no more than 200 queues in Redis', async () => {
  for (let batch = 0; batch < 12; batch += 1) {
    await Promise.all(Array.from({ length: 20 }, () => register(other)));
  }
  const owned: string[] = [];
  const { redis, namespace } = node.kernel;
  for await (const keys of redis.commands.scanStream({ match: `${namespace}:*queue:*`, count: 1000 })) {
    for (const key of keys as string[]) {
      const userId = await redis.commands.hget(key, 'userId').catch(() => null);
      if (userId !== null) owned.push(userId);
    }
  }
  const most = Math.max(...[...new Set(owned)].map((id) => owned.filter((each) => each === id).length));
  expect(most).toBe(200);
});
