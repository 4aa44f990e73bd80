/** What both ends of a queue must have in common for BullMQ to find it, and how long it keeps what is over. */
import type { ConnectionOptions } from 'bullmq';
import type { RedisConnections } from '../redis/connections';

/** Enough to look at afterwards; the truth of an answer lies in its row. */
export const KEEP = { removeOnComplete: { count: 1000 }, removeOnFail: { count: 10_000 } } as const;

/** Producers fail fast and workers wait. The hash tag puts all keys of our queues into one slot. */
export function queueOptions(redis: RedisConnections, namespace: string, role: 'producer' | 'worker') {
  // BullMQ carries ioredis' option types under stricter rules than ioredis publishes them.
  return { connection: redis.optionsFor(role) as ConnectionOptions, prefix: `{${namespace}:jobs}` };
}
