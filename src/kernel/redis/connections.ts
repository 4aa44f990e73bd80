/** Redis by role, a constant number of connections per process: a blocked or subscribed one serves nothing else. */
import { Redis } from 'ioredis';
import { withDeadline } from '../deadline';
import type { Log } from '../log';
import { connectionOf, placeOf, type RedisAddress, type RedisOptions } from './address';
import { leaveDemoted } from './demoted';
import { becomesReady } from './protocol';
import { openPushing } from './push';
import { refuseWrongServer } from './server-kind';
import { followSentinels } from './sentinels';

export interface RedisConnections {
  /** For commands on a request's path: fails at once when Redis is away and at its deadline when Redis is frozen. */
  readonly commands: Redis;
  /** For pub/sub; owned by the channel. */
  readonly subscriber: Redis;
  /**
   * For commands that push: given to the connection that hears the pushes, they cost Redis one write less. Where that
   * cannot take commands it is the other one. The same deadline holds.
   */
  push<T>(command: (redis: Redis) => Promise<T>): Promise<T>;
  /** A new connection for subscriptions: waits as long as it takes. Closed with the others. */
  listener(name: string): Redis;
  /**
   * Whatever makes connections of its own and waits on them (BullMQ's workers) is to make them like this. They are made
   * anew when an answer is due for so long.
   */
  patient(role: string, silenceMs: number): RedisOptions;
  /** Calls back whenever Redis has become reachable, or is another: it may lack what was written last. */
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
  const failFast: RedisOptions = {
    ...demotion.once,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: settings.redisDeadlineMs,
    // Several deadlines in silence: the other end may have vanished without a word, so another connection is made.
    socketTimeout: silenceMs,
    connectTimeout: Math.max(settings.redisDeadlineMs, 1000),
  };
  // Silence counts only while an answer is due.
  const patient: RedisOptions = { ...demotion.patient, maxRetriesPerRequest: null, socketTimeout: silenceMs };
  const opened: Redis[] = [];

  function open(role: string, options: RedisOptions): Redis {
    const redis = new Redis({ ...named(role), ...options });
    // Without a listener one lost connection would end the process.
    redis.on('error', (error: Error) => log.debug({ error, connection: role }, 'redis connection'));
    opened.push(redis);
    return redis;
  }

  const commands = open('commands', failFast);
  const subscriber = open('subscriber', { ...patient, autoResubscribe: true });
  const { push, isKnown } = openPushing({ commands, subscriber, deadlineMs: settings.redisDeadlineMs, silenceMs });
  const sentinels = followSentinels({ ...named('sentinel'), ...demotion.patient }, opened, log);
  let reason: Error | undefined;
  commands.on('error', (error: Error) => {
    reason = error;
  });
  const connections: RedisConnections = {
    commands,
    subscriber,
    push,
    listener: (name) => open(name, patient),
    patient: (role, longestMs) => ({ ...named(role), ...patient, socketTimeout: longestMs }),
    onReachable: (listener) => void commands.on('ready', listener),
    async close() {
      // One that has ended already would wait for its end.
      for (const redis of [...opened, ...sentinels]) if (redis.status !== 'end') redis.disconnect();
    },
  };
  try {
    await withDeadline('Redis', 10_000, Promise.all([becomesReady(commands), isKnown]));
  } catch (error) {
    await connections.close();
    throw new Error(`Redis at ${placeOf(settings.redisUrl)} cannot be reached`, { cause: reason ?? error });
  }
  try {
    await refuseWrongServer(commands, settings.redisUrl);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return connections;
}
