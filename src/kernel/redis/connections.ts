/** Redis by role, a constant number of connections per process: a blocked or subscribed one serves nothing else. */
import { Redis, type Cluster } from 'ioredis';
import { withDeadline } from '../deadline';
import type { Log } from '../log';
import { clusterNodesOf, connectionOf, placeOf, type RedisAddress, type RedisOptions } from './address';
import { anyNodeOf } from './any-node';
import { asRedis, openShards, reasonOf, serversOf } from './cluster';
import { leaveDemoted } from './demoted';
import { becomesReady } from './protocol';
import { openPushing } from './push';
import { noticeNoCluster, refuseWrongServer } from './server-kind';
import { followSentinels } from './sentinels';
import { watchShards } from './watch-shards';

export interface RedisConnections {
  /**
   * For commands on a request's path: fails at once when Redis is away and at its deadline when Redis is frozen. Of a
   * cluster it is all shards, so that keys of one command or pipeline must lie in one slot.
   */
  readonly commands: Redis;
  /** For pub/sub; owned by the channel. Of a cluster, at any one of its nodes. */
  readonly subscriber: Redis;
  /**
   * For commands that push: given to the connection that hears the pushes, they cost Redis one write less. Where that
   * cannot take commands, or is of a cluster, it is the other one. The same deadline holds.
   */
  push<T>(command: (redis: Redis) => Promise<T>): Promise<T>;
  /** A new connection for subscriptions: waits as long as it takes. Closed with the others. */
  listener(name: string): Redis;
  /**
   * Whatever makes connections of its own and waits on them (BullMQ's workers) is to make them like this. They are made
   * anew when an answer is due for so long.
   */
  patient(role: string, silenceMs: number): RedisOptions | Redis;
  /** Calls back whenever Redis, or a part of it, has become reachable or is another: it may lack what was written last. */
  onReachable(listener: () => void): void;
  close(): Promise<void>;
}

export interface RedisSettings extends RedisAddress {
  readonly redisDeadlineMs: number;
  readonly nodeName: string;
}

const SILENT_DEADLINES = 5;
const GOODBYE_MS = 500;

export async function openRedis(settings: RedisSettings, log: Log): Promise<RedisConnections> {
  const address = connectionOf(settings);
  const nodes = clusterNodesOf(settings.redisUrl);
  const demotion = leaveDemoted();
  const silenceMs = settings.redisDeadlineMs * SILENT_DEADLINES;
  const named = (role: string): RedisOptions => ({
    ...address,
    // A Sentinel that does not answer is no reason to wait: the next one is asked.
    sentinelCommandTimeout: settings.redisDeadlineMs,
    // A connection that has fallen silent will not say goodbye either.
    disconnectTimeout: GOODBYE_MS,
    connectionName: `${settings.nodeName}.${role}`,
  });
  const connectTimeout = Math.max(settings.redisDeadlineMs, 1000);
  const failFast: RedisOptions = {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: settings.redisDeadlineMs,
    // Several deadlines in silence: the other end may have vanished without a word, so another connection is made.
    socketTimeout: silenceMs,
    connectTimeout,
  };
  // Silence counts only while an answer is due.
  const patient: RedisOptions = { ...demotion.patient, maxRetriesPerRequest: null, socketTimeout: silenceMs };
  const opened: Redis[] = [];

  /** Without a listener one lost connection would end the process. */
  function keep(redis: Redis, role: string): Redis {
    redis.on('error', (error: Error) => log.debug({ error, connection: role }, 'redis connection'));
    opened.push(redis);
    return redis;
  }
  const open = (role: string, options: RedisOptions) => keep(new Redis({ ...named(role), ...options }), role);
  function openCluster(role: string, options: RedisOptions, mode: 'hasty' | 'patient'): Redis {
    const shards = openShards(nodes!, { ...named(role), ...options }, mode);
    shards.connect().catch(() => {});
    return keep(asRedis(shards), role);
  }

  const commands = nodes
    ? openCluster('commands', failFast, 'hasty')
    : open('commands', { ...failFast, ...demotion.once });
  /** The cluster's own view of its nodes, and where it has none yet, ours. */
  const primaries = () => serversOf(commands).map(({ options: { host = '', port = 0 } }) => ({ host, port }));
  const known = () => [primaries(), nodes ?? []].find(({ length }) => length > 0) ?? [];
  const anywhere = nodes ? { Connector: anyNodeOf(known), connectTimeout } : {};
  const subscriber = open('subscriber', { ...patient, ...anywhere, autoResubscribe: true });
  const listeners = [subscriber];
  const { push, isKnown } = openPushing({ commands, subscriber, deadlineMs: settings.redisDeadlineMs, silenceMs });
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
  let jobs: Redis | undefined;
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
    patient(role, longestMs) {
      if (!nodes) return { ...named(role), ...patient, socketTimeout: longestMs };
      // One for the process: whoever blocks makes a copy.
      jobs ??= openCluster(role, { maxRetriesPerRequest: null, socketTimeout: longestMs }, 'patient');
      return jobs;
    },
    onReachable: (listener) => void reachable.add(listener),
    async close() {
      stopWatching();
      // One that has ended already would wait for its end.
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
  } catch (error) {
    await connections.close();
    throw error;
  }
  if (nodes) {
    const { redisDeadlineMs: deadlineMs } = settings;
    // Connected now, so that the first connections are not taken for new ones. A shard that is away is waited for later.
    await Promise.allSettled(serversOf(commands).map((primary) => withDeadline('Redis', deadlineMs, primary.ping())));
    const watch = { deadlineMs, listeners: () => listeners, onNew: noteReachable };
    stopWatching = watchShards(commands as unknown as Cluster, watch);
  }
  return connections;
}
