// 2,000 organisations and as many companies on two nodes and a worker: while they are idle, they cost nothing.
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import { makeIdleTenants } from '../../bench/harness/many-tenants';
import { OpenRealms } from '../../src/chat/actors/recent-events/open-realms';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { chatIn } from '../support/kernel/parts';
import { ownDirectory, startMariadb, startRedis } from '../support/servers/services';
import { until } from '../support/until';
import { startWorkers } from '../support/kernel/workers';

const TENANTS = 2000;
/** A short interval, so that a few seconds contain many sweeps. */
const OFTEN = { HOUSEKEEPING_MS: '500', SWEEP_AFTER_MS: '500', SWEEP_INTERVAL_MS: '500', PRESENCE_SWEEP_MS: '500' };
/** Several sweeps of each kind but housekeeping. */
const MEASURED_MS = 4000;
/** Random variation; a tenant that cost a statement in each sweep would add many times as much. */
const SLACK = 1.25;

const own = ownDirectory();
let servers: { kill(): Promise<unknown> }[] = [];
let redis: Redis;
let database: Connection;
let cluster: Cluster;
let nodes: TestNode[];

beforeAll(async () => {
  const mariadb = await startMariadb({ dir: join(own.path, 'mariadb'), durable: false, everything: true });
  const store = await startRedis({ dir: join(own.path, 'redis') });
  servers = [mariadb, store];
  const shared = process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_URL'] = mariadb.url;
  cluster = await openCluster({ ...OFTEN, REDIS_URL: store.url });
  process.env['TEST_DATABASE_URL'] = shared;
  await cluster.seed();
  redis = new Redis(store.url);
  database = await createConnection(cluster.environment['DATABASE_URL']!);
  nodes = [await cluster.node({ NODE_NAME: 'one' }), await cluster.node({ NODE_NAME: 'two' })];
  await startWorkers(cluster);
});
afterAll(async () => {
  await cluster.close();
  await database.end();
  redis.disconnect();
  await Promise.all(servers.map((server) => server.kill()));
  own.remove();
});

interface Cost {
  readonly statements: number;
  readonly sentBytes: number;
  readonly commands: number;
}

async function soFar(): Promise<Cost & { readonly at: number }> {
  const [rows] = (await database.query(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Bytes_sent')",
  )) as unknown as [{ Variable_name: string; Value: string }[]];
  const of = (name: string) => Number(rows.find((row) => row.Variable_name === name)!.Value);
  const commands = Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))![1]);
  return { statements: of('Questions'), sentBytes: of('Bytes_sent'), commands, at: Date.now() };
}

/** The cost of a second without any request. */
async function quietSecond(): Promise<Cost> {
  const before = await soFar();
  const after = await until(soFar, ({ at }) => at >= before.at + MEASURED_MS);
  const seconds = (after.at - before.at) / 1000;
  const rate = (name: keyof Cost) => (after[name] - before[name]) / seconds;
  return { statements: rate('statements'), sentBytes: rate('sentBytes'), commands: rate('commands') };
}

const isEverythingLookedAt = async (): Promise<boolean> => {
  const [rows] = (await database.query(
    'SELECT COUNT(*) AS due FROM chat_realms WHERE retention_due_at < NOW(3)',
  )) as unknown as [[{ due: number }]];
  return rows[0].due === 0;
};

test('Idle tenants cost no MySQL statement, no bytes from MySQL and no Redis command', async () => {
  await until(isEverythingLookedAt);
  const few = await quietSecond();
  await makeIdleTenants(database, TENANTS);
  await until(isEverythingLookedAt);
  // A busy machine makes sweeps late but never more frequent: a cost per tenant is always too much.
  await until(quietSecond, (many) =>
    (Object.keys(few) as (keyof Cost)[]).every((name) => many[name] <= few[name] * SLACK),
  );
});

test('A node that has served every organisation closes all of them once they are idle', async () => {
  const [rows] = (await database.query('SELECT id FROM chat_realms')) as unknown as [{ id: RealmId }[]];
  const chat = chatIn(nodes[0]!);
  const polls = new OpenRealms({ ...chat, kernel: chat }, 300);
  const channels = async () => ((await redis.pubsub('CHANNELS')) as string[]).length;
  const before = await channels();
  for (const { id } of rows) await polls.open(id);
  expect(polls.size).toBeGreaterThan(0);
  await until(() => polls.size === 0);
  await until(async () => (await channels()) === before);
});
