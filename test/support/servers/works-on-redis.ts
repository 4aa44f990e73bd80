/** Shows that a Redis serves everything: readiness, events of chat, and a request to a mailbox. */
import { callerOf } from '../chat/people';
import type { Cluster, TestNode } from '../kernel/cluster';
import { mailboxWith, request, startEcho } from '../kernel/mailboxes';

export async function expectEverythingWorks(cluster: Cluster): Promise<TestNode> {
  const node = await cluster.node();
  expect(await node.call('/readyz')).toMatchObject({ status: 200, body: { redis: 'ok' } });
  const caller = await callerOf(node, 'member@example.com');
  const queue = await caller.post('/register', { event_types: '["message"]' });
  await caller.post('/messages', { type: 'private', to: '["owner@example.com"]', content: 'sealed' });
  const { body } = await caller.get('/events', { queue_id: queue.body.queue_id, last_event_id: '-1' });
  expect(body.events).toMatchObject([{ type: 'message', message: { content: 'sealed' } }]);

  const mailbox = mailboxWith();
  await startEcho(await cluster.kernel(), mailbox);
  expect(await request(node.kernel, mailbox, 'word')).toBe('word');
  return node;
}
