/** Reads the depths of all queues, without a worker or a producer. */
import { Queue } from 'bullmq';
import type { BriefRedis } from '../redis/brief';
import { producerOptions } from './queue-options';
import { readQueueNames } from './queue-registry';

export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

export async function listQueueDepths(redis: BriefRedis, namespace: string): Promise<QueueDepth[]> {
  const options = producerOptions(redis, namespace);
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
