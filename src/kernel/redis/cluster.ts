/** A Redis Cluster: each command goes to the primary that has its key, and follows the key when it moves. */
import { Cluster, type ClusterOptions, type Redis } from 'ioredis';
import type { RedisHost, RedisOptions } from './address';
import { backOff } from './demoted';

const AGAIN_MS = 100;
/** How often it is asked who has which slots. Nothing announces that a frozen primary was replaced. */
const ASK_MS = 1000;

/** Fails soon: while a shard has no primary, a command is retried for less than a second. */
const HASTY: ClusterOptions = { enableOfflineQueue: false, maxRedirections: 8 };

const MODES = {
  hasty: { ...HASTY, clusterRetryStrategy: backOff, slotsRefreshInterval: ASK_MS },
  /** Never retries. An inspection must also be able to see a cluster that is down. */
  once: { ...HASTY, clusterRetryStrategy: () => null, enableReadyCheck: false },
} satisfies Record<string, ClusterOptions>;

export function openShards(nodes: readonly RedisHost[], options: RedisOptions, mode: keyof typeof MODES): Cluster {
  return new Cluster([...nodes], {
    ...MODES[mode],
    redisOptions: options,
    retryDelayOnFailover: AGAIN_MS,
    retryDelayOnClusterDown: AGAIN_MS,
    slotsRefreshTimeout: options.connectTimeout ?? 1000,
    // Host names are kept, because certificates may name them.
    dnsLookup: (name, found) => found(null, name),
    lazyConnect: true,
  });
}

/** Both classes have the same commands, and callers need not know which one they use. */
export const asRedis = (shards: Cluster): Redis => shards as unknown as Redis;

const shardsOf = (redis: unknown): Cluster | undefined => (redis instanceof Cluster ? redis : undefined);

export const isCluster = (redis: Redis): boolean => shardsOf(redis) !== undefined;

/** Every server that accepts writes: a single one, or the primaries of a cluster. */
export const serversOf = (redis: Redis): readonly Redis[] => shardsOf(redis)?.nodes('master') ?? [redis];

/** Every known server: clients may be subscribed at any of them. */
export const allServersOf = (redis: Redis): readonly Redis[] => shardsOf(redis)?.nodes('all') ?? [redis];

/** Which primary has which slots, as text to compare. `slots` is public: ioredis marks its internal fields @ignore. */
export function ownersIn({ slots }: Cluster): string {
  let before = '';
  let text = '';
  for (const [slot, keys] of slots.entries()) {
    const [owner = ''] = keys ?? [];
    if (owner !== before) text += `${slot} ${owner} `;
    before = owner;
  }
  return text;
}

/** The reason behind an ioredis error: the error itself says only that no node was usable. */
export const reasonOf = (error: Error): Error => (error as { lastNodeError?: Error }).lastNodeError ?? error;
