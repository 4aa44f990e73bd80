/** Redis connections by role, a constant number per process: a blocked or subscribed connection can do nothing else. */
import { Redis, type Cluster } from 'ioredis';
import { withDeadline } from '../deadline';
import type { Log } from '../log';
import type { KernelSettings } from '../settings';
import { clusterNodesOf, connectionOf, placeOf, type RedisAddress, type RedisOptions } from './address';
import { anyNodeOf, atSlotPrimary } from './slot-primary';
import { asRedis, openShards, reasonOf, serversOf } from './cluster';
import { leaveDemoted } from './demoted';
import { installationTag } from './keys';
import { becomesReady, openPushing } from './push';
import { noticeNoCluster, refuseWrongServer } from './server-kind';
import { followSentinels } from './sentinels';
import { watchShards } from './watch-shards';

export interface RedisConnections {
  /**
   * For commands on a request's path: fails at once if Redis is unreachable, and at its deadline if Redis is frozen. In
   * a cluster it covers all shards, so the keys of one command or pipeline must be in one slot.
   */
  readonly commands: Redis;
  /** For pub/sub; owned by the channel. In a cluster, it is at any one node. */
  readonly subscriber: Redis;
  /**
   * For commands that publish: sent on the subscriber's connection, they cost Redis one write less. If that connection
   * cannot take commands, or in a cluster, `commands` is used. The same deadline applies.
   */
  push<T>(command: (redis: Redis) => Promise<T>): Promise<T>;
  /** A new connection for subscriptions, which waits as long as it takes. Closed with the others. */
  listener(name: string): Redis;
  /**
   * Options for libraries that open their own blocking connections (BullMQ's workers). Such a connection is reopened if
   * an answer is overdue by this time. In a cluster, it is at the primary that has the installation's keys.
   */
  patient(role: string, silenceMs: number): RedisOptions;
  /** Calls back whenever Redis, or a shard, becomes reachable or is replaced: it may lack the newest writes. */
  onReachable(listener: () => void): void;
  close(): Promise<void>;
}

/** Redis, and the prefix of this installation's keys in it. */
export interface Keyspace {
  readonly redis: RedisConnections;
  readonly namespace: string;
}

export type RedisSettings = RedisAddress & Pick<KernelSettings, 'redisDeadlineMs' | 'nodeName' | 'namespace'>;

const SILENT_DEADLINES = 5;
const GOODBYE_MS = 500;

export async function openRedis(settings: RedisSettings, log: Log): Promise<RedisConnections> {
  const address = connectionOf(settings);
  const nodes = clusterNodesOf(settings.redisUrl);
  const demotion = leaveDemoted(nodes !== undefined);
  const { redisDeadlineMs: deadlineMs } = settings;
  const silenceMs = deadlineMs * SILENT_DEADLINES;
  const named = (role: string): RedisOptions => ({
    ...address,
    // If a Sentinel does not answer, the next one is asked without waiting.
    sentinelCommandTimeout: deadlineMs,
    // A silent connection will not confirm its close either.
    disconnectTimeout: GOODBYE_MS,
    connectionName: `${settings.nodeName}.${role}`,
  });
  const connectTimeout = Math.max(deadlineMs, 1000);
  const failFast: RedisOptions = {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: deadlineMs,
    // Reconnects after several deadlines without an answer: the peer may have vanished silently.
    socketTimeout: silenceMs,
    connectTimeout,
  };
  // Silence counts only while an answer is due.
  const patient: RedisOptions = { ...demotion.patient, maxRetriesPerRequest: null, socketTimeout: silenceMs };
  const opened: Redis[] = [];

  /** Without an error listener, one lost connection would end the process. */
  function keep(redis: Redis, role: string): Redis {
    redis.on('error', (error: Error) => log.debug({ error, connection: role }, 'redis connection'));
    opened.push(redis);
    return redis;
  }
  const open = (role: string, options: RedisOptions) => keep(new Redis({ ...named(role), ...options }), role);
  function openCluster(role: string, options: RedisOptions): Redis {
    const shards = openShards(nodes!, { ...named(role), ...options }, 'hasty');
    shards.connect().catch(() => {});
    return keep(asRedis(shards), role);
  }

  const commands = nodes ? openCluster('commands', failFast) : open('commands', { ...failFast, ...demotion.once });
  const shards = () => commands as unknown as Cluster;
  /** The cluster's own view of its nodes or, while it has none, the configured nodes. */
  const primaries = () => serversOf(commands).map(({ options: { host = '', port = 0 } }) => ({ host, port }));
  const known = () => [primaries(), nodes ?? []].find(({ length }) => length > 0) ?? [];
  const anywhere = nodes ? { Connector: anyNodeOf(known), connectTimeout } : {};
  const subscriber = open('subscriber', { ...patient, ...anywhere, autoResubscribe: true });
  const listeners = [subscriber];
  const { push, isKnown } = openPushing({ commands, subscriber, deadlineMs, silenceMs });
  const sentinels = followSentinels({ ...named('sentinel'), ...demotion.patient }, opened, log);
  const reachable = new Set<() => void>();
  const noteReachable = () => {
    for (const listener of reachable) listener();
  };
  commands.on('ready', noteReachable);
  let reason: Error | undefined;
  commands.on('error', (error: Error) => {
    reason = reasonOf(error);
  });
  let jobs: RedisOptions = {};
  let stopWatching = () => {};
  const connections: RedisConnections = {
    commands,
    subscriber,
    push,
    listener(name) {
      const made = open(name, { ...patient, ...anywhere });
      listeners.push(made);
      return made;
    },
    patient: (role, maxMs) => ({ ...named(role), ...patient, ...jobs, socketTimeout: maxMs }),
    onReachable: (listener) => void reachable.add(listener),
    async close() {
      stopWatching();
      // disconnect() on a connection that has ended would wait for its end.
      for (const redis of [...opened, ...sentinels]) if (redis.status !== 'end') redis.disconnect();
    },
  };
  try {
    const isThere = withDeadline('Redis', 10_000, Promise.all([becomesReady(commands), isKnown])).catch(
      (error: Error) => {
        throw new Error(`Redis at ${placeOf(settings.redisUrl)} cannot be reached`, { cause: reason ?? error });
      },
    );
    await Promise.race([isThere, noticeNoCluster(commands)]);
    await refuseWrongServer(commands, settings.redisUrl);
    if (nodes) {
      // Connect now, so that the first connections do not count as new ones. Do not wait for an unreachable shard.
      await Promise.allSettled(serversOf(commands).map((primary) => withDeadline('Redis', deadlineMs, primary.ping())));
      const key = installationTag(settings.namespace);
      const place = await atSlotPrimary({ shards: shards(), key, anyone: () => known()[0]! });
      jobs = { ...place, connectTimeout };
    }
  } catch (error) {
    await connections.close();
    throw error;
  }
  if (nodes) {
    const watch = { deadlineMs, listeners: () => listeners, onNew: noteReachable };
    stopWatching = watchShards(shards(), watch);
  }
  return connections;
}
