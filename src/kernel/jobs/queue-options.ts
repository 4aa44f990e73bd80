/** What both ends of a queue must have in common for BullMQ to find it, and how long it keeps what is over. */
import type { ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisConnections } from '../redis/connections';
import { installationTag } from '../redis/keys';

/** Enough to look at afterwards; the truth of an answer lies in its row. */
export const KEEP = { removeOnComplete: { count: 1000 }, removeOnFail: { count: 10_000 } } as const;

/** Producers share the connection that fails fast: a request must not hang because Redis is away. */
export function producerOptions(commands: Redis, namespace: string) {
  return { connection: commands as ConnectionOptions, prefix: installationTag(namespace), defaultJobOptions: KEEP };
}

const SILENCE_MS = 15_000;

/** Workers and listeners block, so each has a connection of its own and waits for Redis as long as it takes. */
export function workerOptions(redis: RedisConnections, namespace: string) {
  // A connection whose other end vanished without a word is made anew. Blocking reads end after ten seconds by themselves.
  const connection = redis.patient('jobs', SILENCE_MS);
  // BullMQ carries ioredis' option types under stricter rules than ioredis publishes them.
  return { connection: connection as ConnectionOptions, prefix: installationTag(namespace) };
}
