/** A node for deliveries of services, the key of a bot, and a worker that turns deliveries into messages. */
import { openCluster, type Cluster, type TestNode } from '../kernel/cluster';
import { startWorkers } from '../kernel/workers';

export interface WebhookDoor {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly key: string;
}

export async function openWebhookEntry(): Promise<WebhookDoor> {
  const cluster = await openCluster();
  await cluster.seed();
  const node = await cluster.node();
  const { body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'webhook-bot@example.com' } });
  await startWorkers(cluster, 'chat-webhooks');
  return { cluster, node, key: body.api_key };
}
