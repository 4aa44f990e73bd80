// Polls extend the life of their queues in Redis, and wait for events without waiting for Redis.
import type { User, UserId } from '../../../../src/chat/model/users/user';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatIn } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

/** Long, so that no queue expires while a slow machine works. Tests make queues older instead. */
const EXPIRY_MS = 60_000;

let cluster: Cluster;
let node: TestNode;
let elsewhere: TestNode;
let member: Record<string, string>;
let memberId: UserId;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off', QUEUE_EXPIRY_MS: String(EXPIRY_MS) });
  await cluster.seed();
  [node, elsewhere] = [await cluster.node(), await cluster.node()];
  member = await node.basic('member@example.com');
  memberId = (await node.call('/api/v1/users/me', { headers: member })).body.user_id;
});
afterAll(() => cluster.close());

/** A touch is due after a third of a queue's life; until half of it, a poll does not wait for the touch. */
async function makeDue({ id, key }: { id: string; key: string }): Promise<void> {
  const agedMs = EXPIRY_MS * 0.35;
  const { commands } = node.kernel.redis;
  await commands.pexpire(key, (await commands.pttl(key)) - agedMs);
  const queue = chatIn(node).queues.getCached({ id: memberId } as User, id);
  queue!.touchedAt -= agedMs;
}
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

/** The commands that this node sends to Redis from now on, until they are read. */
function watchRedis(): () => string[][] {
  const send = jest.spyOn(node.kernel.redis.commands, 'sendCommand');
  return () => {
    const said = send.mock.calls.map(([{ name, args }]) => [name, ...args.map(String)]);
    send.mockRestore();
    return said;
  };
}

test('A waiting poll extends the life of its event queue', async () => {
  const { id, key } = await openQueue();
  await makeDue({ id, key });
  const before = await node.kernel.redis.commands.pttl(key);
  const [queues] = await node.kernel.redis.commands.keys(`${node.kernel.namespace}:*:queues-of:*`);
  const placeOf = async () => Number(await node.kernel.redis.commands.zscore(queues!, encodeURIComponent(id)));
  const place = await placeOf();
  const held = poll(id);
  await until(
    () => node.kernel.redis.commands.pttl(key),
    (left) => left > before,
  );
  // With too many queues, the one that was idle the longest is deleted first. A late touch of the earlier polls may
  // have come between the two checks above: then the waiting poll moves it with its next touch.
  await until(placeOf, (now) => now > place);
  await node.call('/api/v1/events', { method: 'DELETE', form: { queue_id: id }, headers: member });
  expect((await held).status).toBe(400);
});

test('A poll that waits on a queue that Redis has lost gets BAD_EVENT_QUEUE_ID', async () => {
  const { id, key } = await openQueue();
  await makeDue({ id, key });
  await node.kernel.redis.commands.del(key);
  const { status, body } = await poll(id);
  expect([status, body.code, body.queue_id]).toEqual([400, 'BAD_EVENT_QUEUE_ID', id]);
});

/** Polls three queues at once, the first of which Redis has lost. Returns the commands that touched the first. */
async function touchTogether(): Promise<{ keys: string[]; touched: string[][] }> {
  const queues = [await openQueue(), await openQueue(), await openQueue()];
  for (const queue of queues) await makeDue(queue);
  const [lost, ...kept] = queues as [(typeof queues)[0], ...typeof queues];
  await node.kernel.redis.commands.del(lost.key);
  const asked = watchRedis();
  const held = queues.map(({ id }) => poll(id));
  expect((await held[0]!).body.code).toBe('BAD_EVENT_QUEUE_ID');
  const touched = asked().filter((words) => words.includes(lost.key));
  for (const { id } of kept) {
    await node.call('/api/v1/events', { method: 'DELETE', form: { queue_id: id }, headers: member });
  }
  await Promise.all(held);
  // The application touches the queue of each poll separately.
  const together = process.env['POLL_FAST_PATH'] === 'off' ? [lost] : queues;
  return { keys: together.map(({ key }) => key), touched };
}

test('On the fast path, polls that wait at the same time extend their queues in one command', async () => {
  // Repeats if the machine was so slow that polls had to wait for the touch.
  const { touched } = await until(touchTogether, ({ keys, touched: [first = []] }) =>
    keys.every((key) => first.includes(key)),
  );
  expect(touched).toHaveLength(1);
});

test('The first poll of a queue that was registered on this node sends no command to Redis', async () => {
  const form = { event_types: '["message"]' };
  const { body } = await node.call('/api/v1/register', { method: 'POST', form, headers: member });
  const asked = watchRedis();
  await poll(body.queue_id, { dont_block: 'true' });
  const id = encodeURIComponent(body.queue_id);
  expect(asked().filter((words) => words.some((word) => word.includes(id)))).toEqual([]);
});

test('A queue that was deleted on another node ends here too, even if it was polled here just now', async () => {
  const { id } = await openQueue();
  await elsewhere.call('/api/v1/events', { method: 'DELETE', form: { queue_id: id }, headers: member });
  await until(
    async () => (await poll(id, { dont_block: 'true' })).body.code as string,
    (code) => code === 'BAD_EVENT_QUEUE_ID',
  );
});
