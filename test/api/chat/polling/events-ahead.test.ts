import { closeMysql } from '../../../../src/kernel/mysql/pool';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let silent: TestNode;
let node: TestNode;
let member: Record<string, string>;

beforeAll(async () => {
  // No sweep runs: an event that one node fails to publish stays pending until another node needs the ids after it.
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '600000' });
  await cluster.seed();
  silent = await cluster.node({ PAUSE_AT: 'before-publish', DRAIN_DEADLINE_MS: '300' });
  node = await cluster.node();
  member = await node.basic('member@example.com');
});
afterAll(async () => {
  await cluster.close();
  // It waits forever for the event that it does not publish, and never closes its connections.
  const { jobs, redis, mysql } = silent.kernel;
  await jobs.close();
  await Promise.all([redis.close(), closeMysql(mysql)]);
});

const send = (at: TestNode, content: string) =>
  at.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic: 't', content }, headers: member });

test('A queue registered after an event that is not yet published can be polled at once', async () => {
  const { id } = (await send(silent, 'committed and not told')).body;
  const form = { event_types: '["message"]' };
  const { body: queue } = await node.call('/api/v1/register', { form, headers: member });
  expect(queue).toMatchObject({ last_event_id: -1, max_message_id: id });

  const query = { queue_id: queue.queue_id, last_event_id: '-1' };
  const now = await node.call('/api/v1/events', { query: { ...query, dont_block: 'true' }, headers: member });
  expect(now.body).toMatchObject({ result: 'success', events: [] });
  const held = node.call('/api/v1/events', { query, headers: member });
  await send(node, 'told');
  const { events } = (await held).body;
  expect(events).toEqual([expect.objectContaining({ message: expect.objectContaining({ content: 'told' }) })]);
});

test('A client cannot acknowledge an event that was never in its queue', async () => {
  const { body: queue } = await node.call('/api/v1/register', { method: 'POST', headers: member });
  const query = { queue_id: queue.queue_id, last_event_id: '5', dont_block: 'true' };
  expect((await node.call('/api/v1/events', { query, headers: member })).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Event 5 was not in this queue',
  });
});
