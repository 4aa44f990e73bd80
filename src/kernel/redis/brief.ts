/** One Redis connection for those who only look: it is there or it is not, at once, and it never tries again. */
import { Redis } from 'ioredis';
import { withDeadline } from '../deadline';
import { clusterNodesOf, connectionOf, type RedisAddress } from './address';
import { asRedis, openShards, reasonOf } from './cluster';
import { refuseWrongServer, sayNoCluster } from './server-kind';

export type BriefRedis = Redis;

/** Throws what is really wrong: refused, wrong password, silent. The caller disconnects. */
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
  // The rejection of connect() only says that the connection closed; why, is said here.
  redis.on('error', (error: Error) => {
    reason ??= reasonOf(error);
  });
  try {
    await withDeadline('Redis', deadlineMs, redis.connect());
    await redis.ping();
  } catch (error) {
    // One that has ended already would wait for its end.
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
