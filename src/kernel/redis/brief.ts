/** A short-lived Redis connection for inspection: it succeeds or fails at once, and never retries. */
import { Redis } from 'ioredis';
import { withDeadline } from '../deadline';
import { clusterNodesOf, connectionOf, type RedisAddress } from './address';
import { asRedis, openShards, reasonOf } from './cluster';
import { refuseWrongServer, sayNoCluster } from './server-kind';

export type BriefRedis = Redis;

/** Throws the actual reason: refused, wrong password, no answer. The caller disconnects. */
export async function openBriefRedis(address: RedisAddress, deadlineMs: number): Promise<BriefRedis> {
  const options = {
    ...connectionOf(address),
    lazyConnect: true,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    sentinelCommandTimeout: deadlineMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: deadlineMs,
    commandTimeout: deadlineMs,
    connectionName: `look-${process.pid}`,
  };
  const nodes = clusterNodesOf(address.redisUrl);
  const redis = nodes ? asRedis(openShards(nodes, options, 'once')) : new Redis(options);
  let reason: Error | undefined;
  // The rejection of connect() says only that the connection closed; this event says why.
  redis.on('error', (error: Error) => {
    reason ??= reasonOf(error);
  });
  try {
    await withDeadline('Redis', deadlineMs, redis.connect());
    await redis.ping();
  } catch (error) {
    // disconnect() on a connection that has ended would wait for its end.
    if (redis.status !== 'end') redis.disconnect();
    throw nodes ? sayNoCluster(reason ?? (error as Error)) : (reason ?? error);
  }
  try {
    await refuseWrongServer(redis, address.redisUrl);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}
