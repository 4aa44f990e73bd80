/** The kernel: everything both products share, as one value. One process can open two; neither knows a product. */
import { systemClock, type Clock } from './clock';
import { Ephemera } from './event-log/ephemera';
import { LogPublisher } from './event-log/log-publisher';
import { repairLogs } from './event-log/repair';
import { SocketEvents } from './event-log/socket-events';
import { Gate } from './admission/gate';
import { changeRule } from './http/gates';
import { finishedAmong, type Answer } from './mailbox/replies';
import { openJobs, type Jobs } from './jobs/jobs';
import { RunningJobs } from './jobs/running';
import { Sweeper } from './jobs/sweeper';
import { KeyLookups } from './secrets/key-lookups';
import { openLifecycle, type Lifecycle } from './lifecycle';
import { openLog, type Log } from './log';
import { openMetrics, type Metrics } from './metrics';
import { openOutbox, type Outbox } from './mysql/outbox';
import { closeMysql, openMysql, type Database } from './mysql/pool';
import { openReadFrom, type ReadFrom } from './mysql/read-from';
import { openTransactions, type Transact } from './mysql/transaction';
import { openStrengthEstimate } from './passwords/password-strength';
import { openPasswords, type Passwords } from './passwords/passwords';
import { pauseAt, type Pause } from './pause';
import { openChannel, type Channel } from './redis/channel';
import { openRedis, type Keyspace, type RedisConnections } from './redis/connections';
import { installationKey } from './redis/keys';
import { Replies } from './replies';
import { openSecrets, type Secrets } from './secrets/secrets';
import type { KernelSettings } from './settings';
import { spreadByEmitter } from './socket/spread';

export interface Kernel {
  readonly settings: KernelSettings;
  readonly namespace: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  /** Finds the owner of a key, and refuses addresses that show too many unknown keys. */
  readonly keys: KeyLookups;
  readonly lifecycle: Lifecycle;
  readonly pause: Pause;
  readonly redis: RedisConnections;
  readonly channel: Channel;
  readonly mysql: Database;
  /** For searches and lists: reads from a replica, if there is one and it is up to date. */
  readonly readFrom: ReadFrom;
  readonly outbox: Outbox;
  readonly transaction: Transact;
  /** Keeps changes that wait for one row from taking all connections to MySQL. */
  readonly changes: Gate;
  /** Pushes events that need not last to the followers of a log. */
  readonly ephemera: Ephemera;
  /** Publishes numbered events to the sockets of all nodes. */
  readonly socketEvents: SocketEvents;
  readonly jobs: Jobs;
  /** Looks for work that no process was woken for. */
  readonly sweeper: Sweeper;
  /** Waits in this process for the replies to mail. */
  readonly replies: Replies<Answer>;
  /** The jobs that this process is running. */
  readonly running: RunningJobs;
}

/** The rows in MySQL, and what is written into them besides: times and secrets. */
export type Storage = Pick<Kernel, 'clock' | 'mysql' | 'secrets' | 'transaction'>;

export async function openKernel(settings: KernelSettings, clock: Clock = systemClock): Promise<Kernel> {
  const log = openLog(settings.logLevel, settings.nodeName);
  const pause = pauseAt(settings.pauseAt);
  const lifecycle = openLifecycle(log, { noticeMs: settings.drainNoticeMs, deadlineMs: settings.drainDeadlineMs });
  // Connects later, but reports a bad address at once.
  const mysql = openMysql(settings, log);
  const replica = openReplica(settings, log);
  const redis = await openRedis(settings, log);
  const outbox = openOutbox(mysql, settings, log);
  const { namespace } = settings;
  const jobs = openJobs({ redis, namespace }, { log, draining: lifecycle.draining });
  const transaction = openTransactions(mysql, { outbox, jobs }, pause);
  const channel = openChannel(redis.subscriber, namespace, log);
  const replies = new Replies<Answer>(
    { channel, lifecycle, log, namespace, redis, settings },
    { channel: 'replies', among: (ids) => finishedAmong(mysql, ids) },
  );
  const strength = openStrengthEstimate();
  const publisher = new LogPublisher({ mysql, namespace, pause, redis, settings });
  const kernel: Kernel = {
    settings,
    namespace,
    log,
    clock,
    metrics: openMetrics(settings.nodeName),
    secrets: openSecrets(settings.secretKey),
    passwords: openPasswords(settings, strength),
    keys: new KeyLookups(settings.unknownKeyLimit),
    lifecycle,
    pause,
    redis,
    channel,
    mysql,
    readFrom: openReadFrom(mysql, replica, settings, log),
    outbox,
    transaction,
    changes: new Gate(changeRule(settings.mysqlConnections)),
    ephemera: new Ephemera({ log, namespace, redis, transaction }, publisher),
    socketEvents: new SocketEvents(pause, spreadByEmitter(redis.commands, namespace)),
    jobs,
    sweeper: new Sweeper({ lifecycle, log, mysql, namespace, redis, settings }),
    replies,
    running: new RunningJobs(),
  };
  outbox.register(publisher);
  outbox.register(kernel.socketEvents);
  startSweeping(kernel, publisher);
  // Last: until then requests wait for replies, and workers are woken.
  lifecycle.on('connections', 'password strength', () => strength.close());
  lifecycle.on('connections', 'queues', () => jobs.close());
  lifecycle.on('connections', 'redis', () => redis.close());
  lifecycle.on('connections', 'mysql', () => closeMysql(mysql));
  if (replica) lifecycle.on('connections', 'replica of mysql', () => closeMysql(replica));
  return kernel;
}

const openReplica = (settings: KernelSettings, log: Log): Database | undefined =>
  settings.databaseReplicaUrl === ''
    ? undefined
    : openMysql({ ...settings, databaseUrl: settings.databaseReplicaUrl }, log);

/** A key that a repair leaves beside the jobs. Without it, Redis has lost everything since. */
const markerIn = (namespace: string): string => installationKey(namespace, 'kept');

/** Whether Redis answers and has lost everything since the last repair. */
const hasLostAll = ({ redis, namespace }: Keyspace): Promise<boolean> =>
  redis.commands.exists(markerIn(namespace)).then(
    (found) => found === 0,
    () => false,
  );

/**
 * Publishes again whatever Redis may have lost, once it is reachable. Returns whether that worked. It tries twice
 * before it warns: a process that is busy loading code reads replies only after their deadline has passed.
 */
async function repair(kernel: Kernel, publisher: LogPublisher): Promise<boolean> {
  async function tryOnce(): Promise<void> {
    await repairLogs(kernel, publisher);
    // Last: if the process dies before this line, the next one does the work.
    await kernel.redis.commands.set(markerIn(kernel.namespace), '1');
  }
  try {
    await tryOnce().catch(tryOnce);
    return true;
  } catch (error) {
    // Without a connection nothing can be done: the next one starts over.
    const level = kernel.redis.commands.status === 'ready' ? 'warn' : 'debug';
    kernel.log[level]({ error }, 'could not republish what Redis may have lost; trying again');
    return false;
  }
}

/** Every process can sweep, so that any one of them suffices. */
function startSweeping(kernel: Kernel, publisher: LogPublisher): void {
  const { lifecycle, outbox, redis, sweeper } = kernel;
  /** Counts connections to Redis: a repair on one connection does not cover the next. */
  let connection = 1;
  let repaired = 0;
  async function repairNow(): Promise<void> {
    const on = connection;
    if (await repair(kernel, publisher)) repaired = on;
  }
  sweeper.add([outbox.sweeping]);
  sweeper.start(async () => {
    // Redis may lose its data while every client stays connected.
    if (repaired !== connection || (await hasLostAll(kernel))) await repairNow();
  });
  redis.onReachable(() => {
    connection += 1;
    void repairNow();
  });
  void repairNow();
  lifecycle.on('outbox', 'sweeper', async () => {
    await sweeper.stop();
    await outbox.settle();
  });
}
