/** Refuses a server that is not what REDIS_URL says: a Sentinel, a cluster node, or a server outside a cluster. */
import type { Redis } from 'ioredis';
import { placeOf } from './address';
import { isCluster } from './cluster';

/** Throws one sentence that says what to write in REDIS_URL. */
export async function refuseWrongServer(redis: Redis, redisUrl: string): Promise<void> {
  if (isCluster(redis)) return;
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
      `REDIS_URL names a node of a Redis Cluster: write redis+cluster://${place} with some of its other nodes`,
    );
  }
}

const NO_CLUSTER = /cluster support disabled|unknown command/i;

/** Turns the error of a server outside a cluster into a sentence that says what to write; else returns the error. */
export function sayNoCluster(error: Error): Error {
  if (!NO_CLUSTER.test(error.message)) return error;
  return new Error(
    'REDIS_URL names a server outside a Redis Cluster: write redis://host:6379, or redis+sentinel://host:26379/name',
  );
}

/** A server that refuses INFO is taken for what its address says. */
async function modeOf(redis: Redis): Promise<string | undefined> {
  const info = await redis.info('server').catch(() => '');
  return /^redis_mode:(\w+)/m.exec(info)?.[1];
}

/** The name of the first primary that the Sentinel monitors. */
async function primaryOf(sentinel: Redis): Promise<string> {
  const watched = await sentinel.call('SENTINEL', 'MASTERS').catch(() => []);
  const facts = Array.isArray(watched) && Array.isArray(watched[0]) ? watched[0].map(String) : [];
  return facts[facts.indexOf('name') + 1] ?? '<name of the primary>';
}

/** Never resolves; rejects with that sentence when a cluster client finds servers outside a cluster. */
export const noticeNoCluster = (redis: Redis): Promise<never> =>
  new Promise((_, reject) => {
    redis.on('node error', (error: Error) => {
      const said = sayNoCluster(error);
      if (said !== error) reject(said);
    });
  });
