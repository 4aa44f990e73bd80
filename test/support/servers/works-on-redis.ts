/** Shows that a Redis serves everything: readiness, events of chat, and a job with its reply. */
import { consume, startConsumer } from '../../../src/kernel/jobs/consume';
import { defineJob } from '../../../src/kernel/jobs/job';
import { callerOf } from '../chat/people';
import type { Cluster, TestNode } from '../kernel/cluster';

export async function expectEverythingWorks(cluster: Cluster): Promise<TestNode> {
  const node = await cluster.node();
  expect(await node.call('/readyz')).toMatchObject({ status: 200, body: { redis: 'ok' } });
  const caller = await callerOf(node, 'member@example.com');
  const queue = await caller.post('/register', { event_types: '["message"]' });
  await caller.post('/messages', { type: 'private', to: '["owner@example.com"]', content: 'sealed' });
  const { body } = await caller.get('/events', { queue_id: queue.body.queue_id, last_event_id: '-1' });
  expect(body.events).toMatchObject([{ type: 'message', message: { content: 'sealed' } }]);

  const double = defineJob<number, number>('double', { attempts: 1, backoffMs: 10 });
  const run = (_kernel: unknown, number: number) => Promise.resolve(number * 2);
  await startConsumer(await cluster.kernel(), consume(double, { concurrency: 1, run }));
  expect(await node.kernel.jobs.request(double, 21)).toBe(42);
  return node;
}
