/** What nodes and workers cost while nothing happens: with nobody there, and with one waiting client in each of many organisations. */
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { openTenants, ROOT_DOMAIN } from '../growth/tenant-crowd';
import { pairsByName, type Figure, type Side, type Suite } from '../harness/benchmark';
import { startProgram, startScript } from '../harness/children';
import { startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { fieldOf, watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { BareServer } from '../programs/bare/koa-hello';
import { pollHead, registerQueues } from './queues';

/** Startup leaves garbage to collect and code to compile, and all that is due at once is looked for within this time. */
const SETTLE_MS = 30_000;
const ORGANISATIONS = 2000;
/** By then heartbeats are due all the time. */
const BEATING_MS = 60_000;
/** A minute: clearing comes once in it, and each client's heartbeat at least once. */
const LONGER = 6;
/** One microsecond per second is a ten-thousandth of a per cent. */
const PER_CENT = 1e-4;

const cpu = (name: string, most: number): Figure => ({
  name: `${name} CPU`,
  from: `cpu ${name}`,
  unit: '%',
  scale: PER_CENT,
  target: { of: 'ours', is: 'at most', value: most },
});
const atMost = (name: string, from: string, value: number): Figure => ({
  name,
  from,
  unit: '/s',
  target: { of: 'ours', is: 'at most', value },
});

/** Statements that write count as commits of their own, which is what most of them are. */
const COMMITS = ['Com_commit', 'Com_insert', 'Com_update', 'Com_delete'];

interface Counts {
  readonly questions: number;
  readonly commits: number;
  readonly commands: number;
}

/** Reads what the database and Redis have done since they started; reading counts as one of each. */
async function openCounts({ databaseUrl, redisUrl, signal }: Bench): Promise<() => Promise<Counts>> {
  const database = await createConnection(databaseUrl);
  const redis = new Redis(redisUrl);
  database.on('error', () => {});
  signal.addEventListener('abort', () => {
    database.destroy();
    redis.disconnect();
  });
  return async () => {
    const [rows] = (await database.query('SHOW GLOBAL STATUS')) as unknown as [
      { Variable_name: string; Value: string }[],
    ];
    const valueOf = new Map(rows.map((row) => [row.Variable_name, Number(row.Value)]));
    return {
      questions: valueOf.get('Questions')!,
      commits: COMMITS.reduce((sum, name) => sum + valueOf.get(name)!, 0),
      commands: Number(fieldOf(await redis.info('stats'), 'total_commands_processed')),
    };
  };
}

/** Nothing is done for this long but what the processes do by themselves. */
function idling({ signal }: Bench, processes: number, count: () => Promise<Counts>): Side['run'] {
  return async (idleMs) => {
    const before = await count();
    const seconds = (idleMs * LONGER) / 1000;
    await wait(seconds * 1000, undefined, { signal });
    const after = await count();
    const rate = (name: keyof Counts) => (after[name] - before[name]) / seconds;
    const figures = {
      statements: rate('questions') / processes,
      commits: rate('commits'),
      commands: rate('commands') / processes,
    };
    return { units: seconds, figures };
  };
}

/** Resolves once it does its work: its heart beats then. */
async function startWorker({ environment, redisUrl, signal }: Bench) {
  const worker = startScript('workers/main.js', environment);
  const redis = new Redis(redisUrl);
  const namespace = environment['NAMESPACE']!;
  const isBeating = async () => (await redis.keys(`${namespace}:*:worker:*`)).length > 0;
  while (!(await isBeating())) await wait(100, undefined, { signal });
  redis.disconnect();
  return worker;
}

async function besideBareKoa(bench: Bench): Promise<Side> {
  const hello = await startProgram<BareServer>('programs/bare/koa-hello', null);
  const run = async (idleMs: number) => {
    await wait(idleMs * LONGER, undefined, { signal: bench.signal });
    return { units: (idleMs * LONGER) / 1000, figures: {} };
  };
  return { watched: [watchProcess('server', hello)], run };
}

export const idleSuite: Suite = {
  benchmarks: [
    {
      name: 'idle',
      about: 'two nodes and a worker with nobody there, and what each makes Redis and MariaDB do',
      limit: 'an idle bare Koa',
      unit: 'second',
      idle: true,
      figures: [
        cpu('server', 0.5),
        cpu('worker', 3),
        atMost('statements of a process', 'statements', 2),
        atMost('Redis commands of a process', 'commands', 75),
      ],
    },
  ],
  async open(bench) {
    const { signal, redis, mariadb } = bench;
    const limit = await besideBareKoa(bench);
    const [node] = await Promise.all([startNode(bench), startNode(bench)]);
    const worker = await startWorker(bench);
    const count = await openCounts(bench);
    await wait(SETTLE_MS, undefined, { signal });
    const watched = [watchProcess('server', node), watchProcess('worker', worker), redis, ...mariadb];
    return pairsByName({ idle: { limit, ours: { watched, run: idling(bench, 3, count) } } });
  },
};

export const idleOrganisationsSuite: Suite = {
  benchmarks: [
    {
      name: 'idle-organisations',
      about: `one node and a worker with ${ORGANISATIONS} organisations, each with one client that waits and gets heartbeats`,
      limit: 'an idle bare Koa',
      unit: 'second',
      idle: true,
      figures: [
        cpu('server', 5),
        atMost('commits', 'commits', 5),
        atMost('statements of a process', 'statements', 5),
        { name: 'Redis commands of a process', from: 'commands', unit: '/s' },
      ],
    },
  ],
  async open(bench) {
    const { signal, redis, mariadb } = bench;
    const limit = await besideBareKoa(bench);
    const people = await openTenants(bench, ORGANISATIONS, ORGANISATIONS);
    const node = await startNode(bench, {
      EVENTS_RATE_LIMIT: '60:100000000',
      PUBLIC_URL: `http://${ROOT_DOMAIN}`,
    });
    await startWorker(bench);
    const { port } = node;
    const queues = await registerQueues(port, people);
    await startProgram<PollersLoad>('load/pollers', {
      polls: queues.map(({ person, id }) => ({ port, head: pollHead(person), queueId: id })),
      sends: [],
      sendPorts: [],
    });
    const count = await openCounts(bench);
    await wait(BEATING_MS, undefined, { signal });
    const ours: Side = { watched: [watchProcess('server', node), redis, ...mariadb], run: idling(bench, 2, count) };
    return pairsByName({ 'idle-organisations': { limit, ours } });
  },
};
