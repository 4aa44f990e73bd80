/** The queues by name: each process opens a queue once, and the names are stored in Redis for all. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '../log';
import type { RedisConnections } from '../redis/connections';
import { producerOptions } from './queue-options';

export type { Queue };

export interface QueueRegistry {
  /** Opened on first use. If opening fails because Redis is unreachable, the next call tries again. */
  queue(name: string): Promise<Queue>;
  /** Every queue that any process has opened. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}

const namesKey = (namespace: string): string => `${namespace}:queues`;

export const readQueueNames = async (redis: Redis, namespace: string): Promise<string[]> =>
  (await redis.smembers(namesKey(namespace))).sort();

export const noteQueueNames = (redis: Redis, namespace: string, names: readonly string[]): Promise<unknown> =>
  redis.sadd(namesKey(namespace), ...names);

export function openQueueRegistry(redis: RedisConnections, namespace: string, log: Log): QueueRegistry {
  const queues = new Map<string, Promise<Queue>>();

  async function open(name: string): Promise<Queue> {
    const made = new Queue(name, producerOptions(redis.commands, namespace));
    made.on('error', (error: Error) => log.debug({ error }, 'queue connection'));
    await Promise.all([made.waitUntilReady(), noteQueueNames(redis.commands, namespace, [name])]);
    return made;
  }

  return {
    queue(name) {
      const known = queues.get(name);
      if (known) return known;
      const ready = open(name);
      ready.catch(() => queues.delete(name));
      queues.set(name, ready);
      return ready;
    },
    names: () => readQueueNames(redis.commands, namespace),
    async close() {
      const made = await Promise.allSettled(queues.values());
      await Promise.all(made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.close()] : [])));
    },
  };
}
