// Queues that live in Redis by being polled: polls are held without waiting for Redis to hear of it.
import { openCluster, type Cluster, type TestNode } from '../../support/cluster';
import { until } from '../../support/until';

const EXPIRY_MS = 6000;
/** A touch is due after a third of it, and taken meanwhile up to half of it. */
const DUE_MS = 2100;

let cluster: Cluster;
let node: TestNode;
let member: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off', QUEUE_EXPIRY_MS: String(EXPIRY_MS) });
  await cluster.seed();
  node = await cluster.node();
  member = await node.basic('member@example.com');
});
afterAll(() => cluster.close());

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const poll = (queue_id: string, more: Record<string, string> = {}) =>
  node.call('/api/v1/events', { query: { queue_id, last_event_id: '-1', ...more }, headers: member });

async function openQueue(): Promise<{ id: string; key: string }> {
  const form = { event_types: '["message"]' };
  const { body } = await node.call('/api/v1/register', { method: 'POST', form, headers: member });
  const id: string = body.queue_id;
  for (let warm = 0; warm < 2; warm += 1) await poll(id, { dont_block: 'true' });
  const [key] = await node.kernel.redis.commands.keys(`*${encodeURIComponent(id)}*`);
  return { id, key: key! };
}

test('a poll that is held lets its queue live on', async () => {
  const { id, key } = await openQueue();
  await sleep(DUE_MS);
  const before = await node.kernel.redis.commands.pttl(key);
  const held = poll(id);
  await until(
    () => node.kernel.redis.commands.pttl(key),
    (left) => left > before,
    1000,
  );
  await node.call('/api/v1/events', { method: 'DELETE', form: { queue_id: id }, headers: member });
  expect((await held).status).toBe(400);
});

test('a poll that is held on a queue that Redis has lost is told so at once', async () => {
  const { id, key } = await openQueue();
  await sleep(DUE_MS);
  await node.kernel.redis.commands.del(key);
  const { status, body } = await poll(id);
  expect([status, body.code, body.queue_id]).toEqual([400, 'BAD_EVENT_QUEUE_ID', id]);
});
