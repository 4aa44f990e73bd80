/** Refuses servers that speak like a Redis and cannot be ours: a Sentinel's own port, a node of a Redis Cluster. */
import type { Redis } from 'ioredis';
import { placeOf } from './address';

/** Throws one sentence that says what to write in REDIS_URL. */
export async function refuseWrongServer(redis: Redis, redisUrl: string): Promise<void> {
  const mode = await modeOf(redis);
  const place = placeOf(redisUrl);
  if (mode === 'sentinel') {
    const name = await primaryOf(redis);
    throw new Error(
      `REDIS_URL names a Sentinel, which keeps no data: write redis+sentinel://${place}/${name} with all your Sentinels`,
    );
  }
  if (mode === 'cluster') {
    throw new Error(
      `REDIS_URL names a node of a Redis Cluster (${place}), which is not supported: write the address of a server ` +
        'outside a cluster, or redis+sentinel://host:26379,host:26379/name',
    );
  }
}

/** A server that does not let us ask is taken for what its address says. */
async function modeOf(redis: Redis): Promise<string | undefined> {
  const info = await redis.info('server').catch(() => '');
  return /^redis_mode:(\w+)/m.exec(info)?.[1];
}

/** The name of the first primary that the Sentinel watches. */
async function primaryOf(sentinel: Redis): Promise<string> {
  const watched = await sentinel.call('SENTINEL', 'MASTERS').catch(() => []);
  const facts = Array.isArray(watched) && Array.isArray(watched[0]) ? watched[0].map(String) : [];
  return facts[facts.indexOf('name') + 1] ?? '<name of the primary>';
}
