/** What all nodes, workers, queues and servers do at this moment. */
import { listWorkers } from '../../kernel/jobs/heartbeat';
import { reportQueues } from '../../kernel/jobs/queue-report';
import type { Kernel } from '../../kernel/kernel';
import type { Levels } from '../model/history';
import type { Moment } from '../model/live-findings';
import type { Desks } from '../model/work';
import * as server from '../store/server';
import { redisInfo } from './check-redis';
import { getBacklog } from './get-backlog';
import { listNodes, type NodeBeat } from './list-nodes';
import { reportDesks } from './report-desks';

export interface Surroundings extends Moment {
  readonly nodes: readonly NodeBeat[];
  readonly redis: Readonly<Record<string, string>>;
  readonly mysql: { readonly connections: number; readonly events: number };
}

export async function lookAround(kernel: Kernel, desks: Desks): Promise<Surroundings> {
  const [nodes, workers, queues, reports, outbox, redis, connections, events] = await Promise.all([
    listNodes(kernel),
    listWorkers(kernel),
    reportQueues(kernel),
    reportDesks(kernel, desks),
    getBacklog(kernel),
    redisInfo(kernel.redis.commands),
    server.connections(kernel.mysql),
    server.events(kernel.mysql),
  ]);
  return {
    nodes,
    workers: workers.length,
    queues,
    desks: reports,
    outbox,
    redis,
    mysql: { connections, events },
    requests: sumOf(nodes, (node) => node.requests),
    errors: sumOf(nodes, (node) => node.errors),
  };
}

export function levelsOf({ nodes, queues, desks, redis, mysql }: Surroundings): Levels {
  const running = queues.filter(({ isPaused }) => !isPaused);
  return {
    events: mysql.events,
    waiting: sumOf(queues, ({ waiting }) => waiting) + sumOf(desks, ({ waiting }) => waiting),
    oldestMs: Math.max(0, ...[...running, ...desks].map(({ oldestMs }) => Math.round(oldestMs ?? 0))),
    dead: sumOf(desks, ({ dead }) => dead),
    lagMs: Math.max(0, ...nodes.map(({ lagMs }) => lagMs)),
    redisClients: Number(redis['connected_clients'] ?? 0),
    mysqlConnections: mysql.connections,
  };
}

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);
