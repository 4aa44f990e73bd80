// A node is ready only while Redis accepts its writes, and /readyz says why if it does not.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { installationKey } from '../../../src/kernel/redis/keys';
import { basicHeader } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { DEAD_PORT, ownDirectory, startRedis } from '../../support/servers/services';
import { until } from '../../support/until';

const own = ownDirectory();
let redis: Awaited<ReturnType<typeof startRedis>>;
let operator: Redis;
let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  redis = await startRedis({ dir: join(own.path, 'redis'), appendonly: false });
  operator = new Redis(redis.url);
  cluster = await openCluster({ REDIS_URL: redis.url });
  node = await cluster.node();
});
afterAll(async () => {
  operator.disconnect();
  await cluster.close();
  await redis.kill();
  own.remove();
});

const readiness = () => node.call('/readyz');
const notReady = (reason: string) => ({
  status: 503,
  body: { status: 'not ready', redis: 'unusable', mysql: 'ok', reasons: [reason] },
});
const becomesReady = () =>
  until(
    () => readiness(),
    ({ status, body }) => status === 200 && body.reasons === undefined,
  );

test('A node on a primary that was made a replica is not ready, and is ready again on a primary', async () => {
  await becomesReady();
  await operator.replicaof('127.0.0.1', DEAD_PORT);
  expect(await operator.ping()).toBe('PONG');
  const reason = 'Redis takes no writes: it is a read-only replica';
  const answer = await until(
    () => readiness(),
    ({ body }) => body.reasons?.[0] === reason,
  );
  expect(answer).toMatchObject(notReady(reason));
  await operator.replicaof('NO', 'ONE');
  await becomesReady();
});

/** The client ids of the connections of this role. */
async function connectionsOf(role: string): Promise<string[]> {
  const lines = String(await operator.client('LIST')).split('\n');
  return lines.filter((line) => line.includes(`.${role} `)).map((line) => /^id=(\d+)/.exec(line)![1]!);
}

test('A write refused by a Redis replica opens a new connection, which may find the primary', async () => {
  await becomesReady();
  const before = await connectionsOf('commands');
  await operator.replicaof('127.0.0.1', DEAD_PORT);
  await readiness();
  await until(
    () => connectionsOf('commands'),
    (now) => now.length > 0 && now.every((id) => !before.includes(id)),
  );
  await operator.replicaof('NO', 'ONE');
  await becomesReady();
});

test('A node on a Redis whose memory is full is not ready', async () => {
  await operator.config('SET', 'maxmemory', '1');
  expect(await readiness()).toMatchObject(notReady('Redis takes no writes: its memory is full (maxmemory)'));
  await operator.config('SET', 'maxmemory', '0');
  await becomesReady();
});

test('A node on a Redis with fewer replicas than required is not ready', async () => {
  await operator.config('SET', 'min-replicas-to-write', '1');
  expect(await readiness()).toMatchObject(notReady('Redis takes no writes: too few of its replicas are connected'));
  await operator.config('SET', 'min-replicas-to-write', '0');
  await becomesReady();
});

test('A poll and a registration get 503 while Redis cannot save to its disk', async () => {
  await cluster.seed();
  await becomesReady();
  const form = { username: 'member@example.com' };
  const { body } = await node.call('/api/v1/dev_fetch_api_key', { form });
  const headers = basicHeader('member@example.com', body.api_key);
  const register = () => node.call('/api/v1/register', { form: { event_types: '["message"]' }, headers });
  const { queue_id, last_event_id } = (await register()).body;
  const query = { queue_id, last_event_id: String(last_event_id), dont_block: 'true' };
  // The node that registered the queue knows it, and would not ask Redis.
  const other = await cluster.node();
  const poll = () => other.call('/api/v1/events', { query, headers });

  // A directory that is gone fails like a full disk.
  rmSync(join(own.path, 'redis'), { recursive: true });
  await operator.config('SET', 'save', '3600 1');
  await operator.bgsave();
  await until(
    () => operator.info('persistence'),
    (info) => info.includes('rdb_last_bgsave_status:err'),
  );
  expect(await readiness()).toMatchObject(notReady('Redis takes no writes: it cannot save to its disk'));
  for (const answer of [await poll(), await register()]) {
    expect(answer).toMatchObject({ status: 503, body: { result: 'error' } });
  }
  await operator.config('SET', 'save', '');
  await becomesReady();
  expect((await poll()).status).toBe(200);
});

test('The readiness probe leaves one key in Redis, which expires', async () => {
  await readiness();
  const keys = await operator.keys(`${cluster.environment['NAMESPACE']}:*:ready*`);
  expect(keys).toEqual([installationKey(cluster.environment['NAMESPACE']!, 'ready')]);
  expect(await operator.ttl(keys[0]!)).toBeGreaterThan(0);
});
