import { join } from 'node:path';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { deliver, deliveredIn, newBots, pendingOf, startWebhookWorker } from '../../support/chat/deliveries';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import type { TestBot } from '../../support/operators';
import { killAll } from '../../support/processes/processes';
import { ownDirectory, startRedis } from '../../support/servers/services';
import { openSilentProxy, type SilentProxy } from '../../support/proxies/silent-proxy';
import { until } from '../../support/until';

const own = ownDirectory();
let redis: Awaited<ReturnType<typeof startRedis>>;
let mysqlProxy: SilentProxy;
let cluster: Cluster;
let node: MainNode;
let bot: TestBot;

const startOwnRedis = (port?: number) =>
  startRedis({
    dir: join(own.path, 'redis'),
    appendonly: true,
    password: 'secret',
    ...(port === undefined ? {} : { port }),
  });

beforeAll(async () => {
  redis = await startOwnRedis();
  cluster = await openCluster({ REDIS_URL: redis.url, RATE_LIMIT: 'off' });
  await cluster.seed();
  [bot] = (await newBots(await cluster.kernel(), 1, 'outage')) as [TestBot];
  const database = new URL(cluster.environment['DATABASE_URL']!);
  mysqlProxy = await openSilentProxy(Number(database.port));
  database.hostname = '127.0.0.1';
  database.port = String(mysqlProxy.port);
  node = await startMainNode({
    ...cluster.environment,
    DATABASE_URL: database.href,
    MYSQL_DEADLINE_MS: '5000',
    MYSQL_ACQUIRE_MS: '5000',
  });
});
afterAll(async () => {
  await killAll();
  await cluster.close();
  await mysqlProxy.close();
  await redis.kill();
  own.remove();
});

test('Deliveries are accepted while Redis is away and sent when it is back', async () => {
  const kernel = await cluster.kernel();
  await startWebhookWorker(cluster.environment);
  await deliver(node, bot, 'before', 'redis');
  await until(async () => (await deliveredIn(kernel, 'redis')).length === 1);
  // A current turn needs no Redis: it would find some of the deliveries that come.
  await until(async () => (await kernel.mysql('kernel_mailbox_leases')).length === 0);
  await redis.kill();
  for (let index = 0; index < 5; index++) {
    expect((await deliver(node, bot, `away-${index}`, 'redis')).status).toBe(200);
  }
  expect(await pendingOf(kernel)).toBe(5);
  redis = await startOwnRedis(redis.port);
  const names = await until(
    () => deliveredIn(kernel, 'redis'),
    (found) => found.length === 6,
  );
  expect(names).toEqual(['before', ...[0, 1, 2, 3, 4].map((index) => `away-${index}`)]);
});

test('Deliveries get 503 at once while MySQL is away, leave nothing half stored, and are accepted afterwards', async () => {
  expect((await deliver(node, bot, 'warm', 'mysql')).status).toBe(200);
  mysqlProxy.silence();
  mysqlProxy.deafen(true);
  const answer = await deliver(node, bot, 'away', 'mysql');
  expect(answer).toMatchObject({ status: 503, body: { result: 'error' } });
  expect(answer.headers.get('retry-after')).toBe('1');
  mysqlProxy.deafen(false);
  await until(
    async () => (await deliver(node, bot, 'again', 'mysql')).status,
    (status) => status === 200,
  );
});

test('A delivery whose connection to MySQL falls silent is stored by another connection, once', async () => {
  const kernel = await cluster.kernel();
  expect((await deliver(node, bot, 'heard', 'silent')).status).toBe(200);
  mysqlProxy.silence();
  expect((await deliver(node, bot, 'unheard', 'silent')).status).toBe(200);
  const names = await until(
    () => deliveredIn(kernel, 'silent'),
    (found) => found.length === 2,
  );
  expect(names).toEqual(['heard', 'unheard']);
});
