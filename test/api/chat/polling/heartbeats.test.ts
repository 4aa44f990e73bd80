/** Heartbeats: they keep idle clients connected, without a commit, and their ids rise on any node. */
import { realmTenant, type RealmId } from '../../../../src/chat/model/organisation/realm';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let nodes: TestNode[];
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '200', HEARTBEAT_MAX_MS: '300' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
  headers = await nodes[0]!.basic('other@example.com');
});
afterAll(() => cluster.close());

const register = async (event_types: string): Promise<string> =>
  (await nodes[0]!.call('/api/v1/register', { form: { event_types }, headers, method: 'POST' })).body.queue_id;

async function poll(at: number, queue_id: string, lastId: number): Promise<{ id: number; type: string }> {
  const query = { queue_id, last_event_id: String(lastId) };
  for (;;) {
    const { body } = await nodes[at % 2]!.call('/api/v1/events', { query, headers });
    expect(body).toMatchObject({ result: 'success' });
    // Another node has announced the queue: poll again, as clients do.
    if (body.events.length > 0) return body.events[0];
  }
}

const commits = async (): Promise<number> => {
  const { mysql } = nodes[0]!.kernel;
  const { id } = (await mysql('chat_realms').orderBy('id').first('id')) as { id: RealmId };
  const { event_number: count } = (await mysql('kernel_counters')
    .where({ tenant: realmTenant(id) })
    .first())!;
  return count as number;
};

test('Heartbeats commit nothing, and their ids rise from node to node', async () => {
  const queue = await register('["message"]');
  const before = await commits();
  let last = -1;
  for (let at = 0; at < 4; at += 1) {
    const event = await poll(at, queue, last);
    expect(event.type).toBe('heartbeat');
    expect(event.id).toBeGreaterThan(last);
    last = event.id;
  }
  expect(await commits()).toBe(before);
});

test('A message after heartbeats has a higher id than they have', async () => {
  const queue = await register('["message"]');
  const beat = await poll(0, queue, -1);
  const held = poll(1, queue, beat.id);
  await nodes[0]!.call('/api/v1/messages', {
    form: { type: 'stream', to: 'test', topic: 'heartbeats', content: 'at last' },
    headers,
  });
  let event = await held;
  while (event.type === 'heartbeat') event = await poll(0, queue, event.id);
  expect(event.type).toBe('message');
  expect(event.id).toBeGreaterThan(beat.id);
});

test('A client whose heartbeat Redis has forgotten still gets the next one, with a higher id', async () => {
  const queue = await register('["message"]');
  const beat = await poll(0, queue, await poll(0, queue, -1).then(({ id }) => id));
  const { redis, namespace } = nodes[0]!.kernel;
  const keys = await redis.commands.keys(`${namespace}*:beside`);
  expect(keys).toHaveLength(1);
  await redis.commands.del(keys);
  // This node knows the position itself.
  const next = await poll(0, queue, beat.id);
  expect(next.id).toBeGreaterThan(beat.id);
});
