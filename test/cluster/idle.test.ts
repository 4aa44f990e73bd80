// Two nodes and a worker with nobody there, at the intervals of production: how many statements each process sends.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import { loadConfig } from '../../config';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startWorkers } from '../support/kernel/workers';
import { ownDirectory, startMariadb, startRedis } from '../support/servers/services';

/** Longer than every interval but that of clearing, which comes once a minute. */
const MEASURED_MS = 20_000;
/** Statements a second that a process may send. Slow machines send fewer. */
const MAX_STATEMENTS = 2;
/** A statement for each table is sent once a minute, maybe in these seconds, and others as a span ends. */
const AT_ONCE = 20;
const MAX_COMMANDS = 200;

const { sweepAfterMs, sweepIntervalMs, leaseMs, jobLockMs, sampleMs, housekeepingMs } = loadConfig({});
const own = ownDirectory();
let servers: { kill(): Promise<unknown> }[] = [];
let redis: Redis;
let database: Connection;
let cluster: Cluster;
let processes: Kernel[];

beforeAll(async () => {
  const mariadb = await startMariadb({ dir: join(own.path, 'mariadb'), durable: false, everything: true });
  const store = await startRedis({ dir: join(own.path, 'redis') });
  servers = [mariadb, store];
  const shared = process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_URL'] = mariadb.url;
  cluster = await openCluster({
    REDIS_URL: store.url,
    SWEEP_AFTER_MS: String(sweepAfterMs),
    SWEEP_INTERVAL_MS: String(sweepIntervalMs),
    LEASE_MS: String(leaseMs),
    JOB_LOCK_MS: String(jobLockMs),
    SAMPLE_MS: String(sampleMs),
    HOUSEKEEPING_MS: String(housekeepingMs),
  });
  process.env['TEST_DATABASE_URL'] = shared;
  await cluster.seed();
  redis = new Redis(store.url);
  database = await createConnection(mariadb.url);
  const nodes = [await cluster.node({ NODE_NAME: 'one' }), await cluster.node({ NODE_NAME: 'two' })];
  processes = [...nodes.map(({ kernel }) => kernel), await startWorkers(cluster)];
});
afterAll(async () => {
  await cluster.close();
  await database.end();
  redis.disconnect();
  await Promise.all(servers.map((server) => server.kill()));
  own.remove();
});

async function questions(): Promise<number> {
  const [rows] = (await database.query("SHOW GLOBAL STATUS LIKE 'Questions'")) as unknown as [{ Value: string }[]];
  return Number(rows[0]!.Value);
}

const commands = async (): Promise<number> =>
  Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))![1]);

test('A process with nobody there sends at most two statements a second, all together hardly more, and few Redis commands', async () => {
  // What a start brings is over.
  await wait(5000);
  const sent = processes.map(() => [] as string[]);
  for (const [index, { mysql }] of processes.entries()) {
    mysql.on('query', ({ sql }: { sql: string }) => sent[index]!.push(sql));
  }
  const before = [await questions(), await commands()] as const;
  await wait(MEASURED_MS);
  const all = (await questions()) - before[0];
  const inRedis = (await commands()) - before[1];
  const seconds = MEASURED_MS / 1000;
  for (const own of sent) expect(own.length).toBeLessThanOrEqual(MAX_STATEMENTS * seconds + AT_ONCE);
  // Nodes take turns, and so do workers.
  expect(all).toBeLessThanOrEqual(2 * MAX_STATEMENTS * seconds + AT_ONCE);
  expect(inRedis).toBeLessThanOrEqual(MAX_COMMANDS * seconds);
});
