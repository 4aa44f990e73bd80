/** How full the queues are, for those who look: read without a worker or a producer of our own. */
import { Queue } from 'bullmq';
import type { BriefRedis } from '../redis/brief';
import type { RedisConnections } from '../redis/connections';
import { producerOptions } from './queue-options';

export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** Every queue leaves a mark when it is first used; there is no list of them. */
async function queueNames(redis: BriefRedis, prefix: string): Promise<string[]> {
  const names = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${escapeGlob(prefix)}:*:meta`, 'COUNT', 1000);
    for (const key of keys) names.add(key.slice(prefix.length + 1, -':meta'.length));
    cursor = next;
  } while (cursor !== '0');
  return [...names].sort();
}

const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');

export async function listQueueDepths(redis: BriefRedis, namespace: string): Promise<QueueDepth[]> {
  // A producer's options want no more of the connections than the one for commands.
  const options = producerOptions({ commands: redis } as unknown as RedisConnections, namespace);
  const depths: QueueDepth[] = [];
  for (const name of await queueNames(redis, options.prefix)) {
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
