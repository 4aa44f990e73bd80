import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tenantOf } from '../../src/kernel/actor/address';
import { logEvent } from '../../src/kernel/event-log/log-publisher';
import { openRateLimit } from '../../src/kernel/admission/rate-limit';
import type { Kernel } from '../../src/kernel/kernel';
import { bearer } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { entriesOf } from '../support/kernel/log-entries';
import { mailboxWith, request, startEcho } from '../support/kernel/mailboxes';
import { operator, type OperatorClient } from '../support/operators';
import { untilWritten } from '../support/servers/redis-file';
import { ownDirectory, startMariadb, startRedis } from '../support/servers/services';
import { until } from '../support/until';

const own = ownDirectory();
let redis: Awaited<ReturnType<typeof startRedis>>;
let cluster: Cluster;
let node: TestNode;
let ada: OperatorClient;

const startOwnRedis = (port?: number) =>
  startRedis({
    dir: join(own.path, 'redis'),
    appendonly: true,
    password: 'secret',
    ...(port === undefined ? {} : { port }),
  });

beforeAll(async () => {
  redis = await startOwnRedis();
  cluster = await openCluster({ REDIS_URL: redis.url, RATE_LIMIT: '60:1000' });
  await cluster.seed();
  node = await cluster.node();
  ada = await operator(node.kernel, node, 'ada', 'read');
});
afterAll(async () => {
  await cluster.close();
  await redis.kill();
  own.remove();
});

const company = () => node.call('/system/company', { headers: bearer('demo-key-one') });
const ready = () => node.call('/readyz');
const isReady = (answer: { status: number }) => answer.status === 200;

describe('Redis', () => {
  test('While Redis is down, requests are served, limits counted in memory and readiness off, until Redis is back', async () => {
    await redis.kill();
    const answer = await company();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
    const limit = openRateLimit(node.kernel, 'away', { seconds: 60, requests: 2 });
    const counted = await Promise.allSettled(['a', 'a', 'b', 'a'].map(async (key) => limit.count(key)));
    expect(counted.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(await ready()).toMatchObject({ status: 503, body: { redis: 'unusable', mysql: 'ok' } });
    expect((await node.call('/healthz')).status).toBe(200);
    const { body } = await ada.get('/overview');
    expect(body).toMatchObject({ redis: null, mysql: { connections: expect.any(Number) } });
    expect(body.findings[0]).toMatchObject({ check: 'redis', level: 'fail', advice: expect.stringContaining('Start') });
    redis = await startOwnRedis(redis.port);
    await until(ready, isReady);
    expect((await ada.get('/overview')).body.redis).toMatchObject({ version: expect.any(String) });
  });

  test('While Redis is frozen, requests are answered once the deadline of Redis is over', async () => {
    process.kill(redis.pid, 'SIGSTOP');
    const answer = await company();
    expect(answer.status).toBe(200);
    process.kill(redis.pid, 'SIGCONT');
    await until(ready, isReady);
  });

  test('An event that is committed while Redis is away is published when Redis is back', async () => {
    const tenant = tenantOf('test', 'away');
    await redis.kill();
    await node.kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, 'patience')));
    redis = await startOwnRedis(redis.port);
    await until(
      () => logOf(node.kernel, 'away'),
      (log) => log.includes('1 patience'),
    );
  });

  test('Events that a Redis restored from an older copy lacks are published under the same numbers', async () => {
    const tenant = tenantOf('test', 'restored');
    const send = (body: string) => node.kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, body)));
    const files = join(own.path, 'redis', 'appendonlydir');
    for (const body of ['a', 'b']) await send(body);
    await until(
      () => logOf(node.kernel, 'restored'),
      (log) => log.length === 2,
    );
    await untilWritten(files, ' b');
    cpSync(files, `${files}.old`, { recursive: true });
    for (const body of ['c', 'd']) await send(body);
    await until(
      () => logOf(node.kernel, 'restored'),
      (log) => log.length === 4,
    );
    await redis.kill();
    rmSync(files, { recursive: true });
    cpSync(`${files}.old`, files, { recursive: true });
    redis = await startOwnRedis(redis.port);
    await until(
      () => logOf(node.kernel, 'restored'),
      (log) => log.length === 4,
    );
    await send('e');
    await until(
      () => logOf(node.kernel, 'restored'),
      (log) => log.length === 5,
    );
    expect(await logOf(node.kernel, 'restored')).toEqual(['1 a', '2 b', '3 c', '4 d', '5 e']);
  });

  test('Mail whose wakes waited in a Redis that restarts empty is still handled', async () => {
    const mailbox = mailboxWith();
    const answer = request(node.kernel, mailbox, 'kept', 20_000);
    const queue = await node.kernel.jobs.registry.queue(mailbox.job.name);
    await until(async () => (await queue.count()) === 1);
    await redis.kill();
    rmSync(join(own.path, 'redis', 'appendonlydir'), { recursive: true });
    redis = await startOwnRedis(redis.port);
    await until(ready, isReady);
    await startEcho(await cluster.kernel(), mailbox);
    expect(await answer).toBe('kept');
  });

  test('A subscription that was cut is restored, and subscribers are told to compare numbers', async () => {
    const heard: string[] = [];
    let resumed = 0;
    const stop = await node.kernel.channel.listen('probe', {
      receive: (word) => heard.push(word),
      resumed: () => (resumed += 1),
    });
    await node.kernel.redis.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(() => resumed === 1);
    await node.kernel.redis.commands.publish(`${node.kernel.namespace}:channel:probe`, 'after');
    await until(() => heard.includes('after'));
    await stop();
  });
});

describe('MariaDB', () => {
  let database: Awaited<ReturnType<typeof startMariadb>>;
  let other: Cluster;
  let served: TestNode;

  beforeAll(async () => {
    database = await startMariadb({ dir: join(own.path, 'mariadb'), durable: true, everything: true });
    const shared = process.env['TEST_DATABASE_URL'];
    process.env['TEST_DATABASE_URL'] = database.url;
    other = await openCluster({ REDIS_URL: redis.url, MYSQL_DEADLINE_MS: '5000', MYSQL_ACQUIRE_MS: '5000' });
    process.env['TEST_DATABASE_URL'] = shared;
    await other.seed();
    served = await other.node();
  });
  afterAll(async () => {
    await other.close().catch(() => {});
    await database.kill();
  });

  const ask = () => served.call('/system/company', { headers: bearer('demo-key-one') });
  const refused = { status: 503, body: { type: 'about:blank', status: 503, title: 'Service Unavailable' } };

  test('While MariaDB is frozen, requests get a clear 503 at our own deadline, and are served again afterwards', async () => {
    await ask();
    process.kill(database.pid, 'SIGSTOP');
    const answers = await Promise.all([ask(), ask(), ask()]);
    for (const answer of answers) expect(answer).toMatchObject(refused);
    expect(answers[0]!.headers.get('retry-after')).toBe('1');
    expect((await served.call('/readyz')).body.mysql).toBe('unusable');
    process.kill(database.pid, 'SIGCONT');
    await until(ask, isReady);
  });

  test('While MariaDB is killed, requests get a 503 without internals, and are served again afterwards', async () => {
    await database.kill();
    const answer = await ask();
    expect(answer).toMatchObject(refused);
    expect(answer.text).not.toMatch(/ECONN|mysql|127\.0\.0\.1|select/i);
    database = await startMariadb({
      dir: database.dir,
      port: database.port,
      password: database.password,
      durable: true,
      everything: true,
    });
    await until(ask, isReady);
    await until(() => served.call('/readyz'), isReady);
  });
});

async function logOf(kernel: Kernel, id: string): Promise<string[]> {
  try {
    return await entriesOf(kernel, tenantOf('test', id));
  } catch {
    return [];
  }
}
