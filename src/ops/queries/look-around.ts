/** Collects the current state of nodes, workers, queues and servers. */
import { listWorkers } from '../../kernel/jobs/heartbeat';
import { reportQueues } from '../../kernel/jobs/queue-report';
import type { Kernel } from '../../kernel/kernel';
import type { Database } from '../../kernel/mysql/pool';
import type { Keyspace } from '../../kernel/redis/connections';
import type { Levels } from '../model/history';
import type { Surroundings } from '../model/live-findings';
import type { WorkQueueAdmins } from '../model/work';
import * as server from '../store/server';
import { redisInfo } from './check-redis';
import { listNodes } from './node-reports';
import { reportWorkQueues } from './find-work';

type Parts = Keyspace & Pick<Kernel, 'jobs' | 'log' | 'mysql'>;

/** Without Redis, the state of nodes, workers and queues is unknown. */
const UNKNOWN = { nodes: [], workers: 0, queues: [], workQueues: [], redis: null, requests: 0, errors: 0 };

export async function lookAround(kernel: Parts, admins: WorkQueueAdmins): Promise<Surroundings> {
  const [redis, fromMysql] = await Promise.all([askRedis(kernel), lookAtMysql(kernel.mysql)]);
  if (!redis) return { ...UNKNOWN, ...fromMysql };
  const [nodes, workers, queues, reports] = await Promise.all([
    listNodes(kernel),
    listWorkers(kernel),
    reportQueues(kernel),
    reportWorkQueues(kernel, admins),
  ]);
  return {
    nodes,
    workers: workers.length,
    queues,
    workQueues: reports,
    redis,
    ...fromMysql,
    requests: sumOf(nodes, (node) => node.requests),
    errors: sumOf(nodes, (node) => node.errors),
  };
}

const askRedis = (kernel: Pick<Kernel, 'log' | 'redis'>): Promise<Readonly<Record<string, string>> | null> =>
  redisInfo(kernel.redis.commands).catch((error: Error) => {
    kernel.log.debug({ error }, 'could not read Redis INFO');
    return null;
  });

async function lookAtMysql(db: Database): Promise<Pick<Surroundings, 'outbox' | 'mysql'>> {
  const [outbox, connections, events] = await Promise.all([
    server.pending(db),
    server.connections(db),
    server.events(db),
  ]);
  return { outbox, mysql: { connections, events } };
}

export function levelsOf({ nodes, queues, workQueues, redis, mysql }: Surroundings): Levels {
  const running = queues.filter(({ isPaused }) => !isPaused);
  return {
    events: mysql.events,
    // Includes the jobs in BullMQ queues, which have a queue admin of their own.
    waiting: sumOf(workQueues, ({ waiting }) => waiting),
    oldestMs: Math.max(0, ...[...running, ...workQueues].map(({ oldestMs }) => Math.round(oldestMs ?? 0))),
    dead: sumOf(workQueues, ({ dead }) => dead),
    lagMs: Math.max(0, ...nodes.map(({ lagMs }) => lagMs)),
    redisClients: Number(redis?.['connected_clients'] ?? 0),
    mysqlConnections: mysql.connections,
  };
}

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);

/** The outbox rows that are committed but not published yet. */
export { pending as getBacklog } from '../store/server';
