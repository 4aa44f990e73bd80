/** Queues whose event ids can be compared: clients that share one connection know what each of them has seen. */
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openEventStream } from '../../../support/chat/event-stream';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '60000', HEARTBEAT_MAX_MS: '60000' });
  await cluster.seed();
  node = await cluster.node();
  [member, other] = [await userOf(node, 'member'), await userOf(node, 'other')];
});
afterAll(() => cluster.close());

interface Queue {
  readonly queue_id: string;
  readonly last_event_id: number;
}
const register = async (who: TestUser, form = {}): Promise<Queue> =>
  (await who.post('/register', { event_types: ['message', 'typing'], comparable_ids: true, ...form })).body as Queue;
const say = (content: string) => member.post('/messages', { type: 'stream', to: 'test', topic: 'ids', content });
async function idsOf(who: TestUser, { queue_id, last_event_id }: Queue): Promise<number[]> {
  const { body } = await who.get('/events', { queue_id, last_event_id, dont_block: true });
  return (body as { events: { id: number }[] }).events.map(({ id }) => id);
}

test('An event has the same id in every queue with comparable ids, for polls and streams', async () => {
  const first = await register(other);
  await say('one');
  const [second, third] = [await register(other), await register(member)];
  await say('two');
  const ids = await until(
    () => idsOf(other, first),
    ({ length }) => length === 2,
  );
  expect(await idsOf(other, second)).toEqual([ids[1]]);
  expect(await idsOf(member, third)).toEqual([ids[1]]);
  const query = { queue_id: first.queue_id, last_event_id: String(first.last_event_id) };
  const stream = await openEventStream(node.url, query, await node.basic('other@example.com'));
  await until(() => stream.events.length === 2);
  stream.close();
  expect(stream.events.map(({ id }) => id)).toEqual(ids);
});

test('The last event id of such a registration tells which events the state contains', async () => {
  const before = await register(other);
  await say('between');
  const after = await register(other);
  const [id] = await until(
    () => idsOf(other, before),
    ({ length }) => length === 1,
  );
  expect(id).toBeGreaterThan(before.last_event_id);
  expect(id).toBeLessThanOrEqual(after.last_event_id);
  expect(await idsOf(other, after)).toEqual([]);
});

test('Ids of other queues count from their registration', async () => {
  const queue = await register(other, { comparable_ids: false });
  expect(queue.last_event_id).toBe(-1);
  await say('later');
  const [id] = await until(
    () => idsOf(other, queue),
    ({ length }) => length === 1,
  );
  expect(id).toBeLessThan(1000);
});
