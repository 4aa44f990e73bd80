/** Redis by role, a constant number of connections per process: a blocked or subscribed one serves nothing else. */
import { Redis } from 'ioredis';
import { DeadlineExceeded, withDeadline } from '../deadline';
import type { Log } from '../log';
import { connectionOf, placeOf, type RedisAddress, type RedisOptions } from './address';
import { leaveDemoted } from './demoted';
import { refuseWrongServer } from './server-kind';
import { watchSentinels } from './sentinels';

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
  /** A new connection for blocking reads: waits as long as it takes. Closed with the others. */
  blocking(name: string): Redis;
  /** How whatever makes connections of its own and waits on them is to make them (BullMQ's workers). */
  patient(role: string): RedisOptions;
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

  function open(options: RedisOptions): Redis {
    const redis = new Redis(options);
    // Without a listener one lost connection would end the process.
    redis.on('error', (error: Error) => log.debug({ error, connection: options.connectionName }, 'redis connection'));
    opened.push(redis);
    return redis;
  }

  const commands = open({ ...named('commands'), ...failFast });
  const subscriber = open({ ...named('subscriber'), ...patient, autoResubscribe: true });
  const protocol = watchProtocol(subscriber);
  let newest = '';
  /**
   * Another server is the primary: connections to the old one are cut. Each Sentinel tells it, and until it does, it may
   * have sent a new connection to the old primary, which perhaps does not answer: that one is cut as well.
   */
  function followSwitch(news: string): void {
    const isNew = news !== newest;
    newest = news;
    for (const redis of opened) {
      if (redis.status === 'connect' || (isNew && redis.status === 'ready')) redis.disconnect(true);
    }
    if (isNew) log.warn({ news }, 'another Redis is the primary now');
  }
  const sentinels = watchSentinels({ ...named('sentinel'), ...demotion.patient }, followSwitch, log);
  let reason: Error | undefined;
  commands.on('error', (error: Error) => {
    reason = error;
  });
  let isSilent = false;
  /** One that does not answer does not hear pushes either: if it stays so, another connection is made. */
  function waitForSubscriber(): void {
    isSilent = true;
    // One that is being made is left alone: ioredis would give it up for good.
    const giveUp = setTimeout(() => subscriber.status === 'ready' && subscriber.disconnect(true), silenceMs);
    const heard = () => {
      clearTimeout(giveUp);
      isSilent = false;
    };
    subscriber.ping().then(heard, heard);
  }
  const connections: RedisConnections = {
    commands,
    subscriber,
    async push(command) {
      if (isSilent || subscriber.status !== 'ready' || !protocol.tellsPushes()) return command(commands);
      try {
        return await withDeadline('Redis', settings.redisDeadlineMs, command(subscriber));
      } catch (error) {
        if (error instanceof DeadlineExceeded && !isSilent) waitForSubscriber();
        throw error;
      }
    },
    blocking: (name) => open({ ...named(name), ...patient }),
    patient: (role) => ({ ...named(role), ...patient }),
    async close() {
      // One that has ended already would wait for its end.
      for (const redis of [...opened, ...sentinels]) if (redis.status !== 'end') redis.disconnect();
    },
  };
  try {
    await withDeadline('Redis', 10_000, Promise.all([becomesReady(commands), protocol.isKnown]));
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

interface Protocol {
  /** Whether this connection tells replies from pushes, which only RESP3 does. ioredis falls back to RESP2 by itself. */
  tellsPushes(): boolean;
  /** Resolves when the first connection has told its version. */
  readonly isKnown: Promise<void>;
}

/** Asks each new connection which version of the protocol it speaks. */
function watchProtocol(redis: Redis): Protocol {
  let version = 0;
  async function ask(): Promise<void> {
    version = 0;
    try {
      const facts = (await redis.call('HELLO')) as unknown[];
      version = Number(facts[facts.indexOf('proto') + 1]);
    } catch {
      // A connection of RESP2 that has subscriptions takes no such command, and an old server does not know it.
    }
  }
  const isKnown = becomesReady(redis).then(ask);
  void isKnown.then(() => redis.on('ready', () => void ask()));
  return { tellsPushes: () => version === 3, isKnown };
}

function becomesReady(redis: Redis): Promise<void> {
  return new Promise((resolve) => (redis.status === 'ready' ? resolve() : redis.once('ready', () => resolve())));
}
