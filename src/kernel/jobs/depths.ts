/** How full the queues are, for those who look: read without a worker or a producer of our own. */
import { Queue } from 'bullmq';
import type { BriefRedis } from '../redis/brief';
import type { RedisConnections } from '../redis/connections';
import { producerOptions } from './queue-options';
import { readQueueNames } from './shelf';

export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

export async function listQueueDepths(redis: BriefRedis, namespace: string): Promise<QueueDepth[]> {
  // A producer's options want no more of the connections than the one for commands.
  const options = producerOptions({ commands: redis } as unknown as RedisConnections, namespace);
  const depths: QueueDepth[] = [];
  for (const name of await readQueueNames(redis, namespace)) {
    const queue = new Queue(name, { ...options, skipMetasUpdate: true, skipWaitingForReady: true });
    queue.on('error', () => {});
    const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
    const count = (state: string) => counts[state] ?? 0;
    depths.push({
      queue: name,
      waiting: count('waiting') + count('prioritized'),
      active: count('active'),
      delayed: count('delayed'),
      failed: count('failed'),
    });
    await queue.close();
  }
  return depths;
}
