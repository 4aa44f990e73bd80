/** BullMQ options that producers and workers of a queue must share, and how long finished jobs are kept. */
import type { ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisConnections } from '../redis/connections';
import { installationTag } from '../redis/keys';

/** Enough to inspect afterwards; the truth of a reply is its row. */
export const KEEP = { removeOnComplete: { count: 1000 }, removeOnFail: { count: 10_000 } } as const;

/** Producers share the connection that fails fast: a request must not hang while Redis is unreachable. */
export function producerOptions(commands: Redis, namespace: string) {
  return { connection: commands as ConnectionOptions, prefix: installationTag(namespace), defaultJobOptions: KEEP };
}

const SILENCE_MS = 15_000;

/** Workers block, so each has a connection of its own, which waits for Redis as long as it takes. */
export function workerOptions(redis: RedisConnections, namespace: string) {
  // Reconnects when the peer vanished silently. Blocking reads end by themselves after ten seconds.
  const connection = redis.patient('jobs', SILENCE_MS);
  // BullMQ's copy of ioredis' option types is stricter than the one that ioredis publishes.
  return { connection: connection as ConnectionOptions, prefix: installationTag(namespace) };
}
