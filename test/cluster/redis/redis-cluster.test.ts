// A Redis Cluster of three primaries: everything works across all of them. `npm run faults` gives each a replica, and
// kills and freezes primaries under load: the replica takes over.
import { redisKey } from '../../../src/kernel/actor/address';
import { installationKey } from '../../../src/kernel/redis/keys';
import { realmTenant, type RealmId } from '../../../src/chat/model/organisation/realm';
import { cliOf } from '../../api/cli/run';
import { killAll } from '../../support/processes/processes';
import { startRedisCluster, type RedisCluster } from '../../support/servers/redis-cluster';
import { signal } from '../../support/servers/sentinels';
import { ownDirectory } from '../../support/servers/services';
import { expectAll, measure } from './failover-checks';
import { FailoverLoad } from './failover-load';

/** Only `npm run faults` has the time. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '0');
const withFaults = ROUNDS > 0 ? describe : describe.skip;

jest.setTimeout(900_000 + ROUNDS * 120_000);

const own = ownDirectory();
let redis: RedisCluster;
let load: FailoverLoad;

beforeAll(async () => {
  redis = await startRedisCluster(own.path, { hasReplicas: ROUNDS > 0 });
  load = await FailoverLoad.open(redis.environment);
});
afterAll(async () => {
  await load?.close();
  await killAll();
  await redis?.close();
  own.remove();
});

test('The command line finds all primaries of a Redis Cluster', async () => {
  const cli = cliOf(load.environment);
  const { code, json } = await cli(['status', '--json']);
  const places = redis.ports.map((port) => `127.0.0.1:${port}`).join(',');
  expect(json.redis).toMatchObject({ ok: true, address: `${places} (a cluster)` });
  expect(code).toBe(0);
  const checks = (await cli(['doctor', '--json'])).json.checks as { check: string; level: string; says: string }[];
  expect(checks.find(({ check }) => check === 'redis-role')).toMatchObject(
    ROUNDS > 0
      ? { level: 'ok', says: '3 primaries of a Redis Cluster' }
      : { level: 'warn', says: '3 primaries of a Redis Cluster, not all with a replica' },
  );
});

test('Messages reach polls, and texts sockets, at two nodes on a Redis Cluster, once and in order, and jobs are done', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    await Promise.all((['messages', 'texts', 'jobs'] as const).map((kind) => load.send(kind, `${kind} ${turn}`)));
  }
  const { problems } = await load.finish();
  for (const { received, acknowledged } of Object.values(load.kinds)) {
    for (const got of received()) expect(got).toEqual(acknowledged);
  }
  expect(problems).toEqual([]);
  expect(load.registrations()).toEqual([1, 1, 1]);
});

withFaults('A primary of a Redis Cluster', () => {
  /** The servers of the queues and of the organisation's events: perhaps two. */
  async function shards(): Promise<string[]> {
    const namespace = load.environment['NAMESPACE']!;
    const events = redisKey(namespace, { tenant: realmTenant(1 as RealmId), kind: 'log', id: '' });
    const keys = [installationKey(namespace, 'kept'), events];
    const primaries = await Promise.all(keys.map((key) => redis.primaryOf(key)));
    return keys.filter((_, place) => primaries.indexOf(primaries[place]!) === place);
  }

  test('A primary that is killed with writes its replica lacks loses nothing acknowledged; polls and sockets go on within 5 s', async () => {
    const recovery = [];
    load.start();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const key of await shards()) {
        await redis.isWhole();
        const primary = await redis.primaryOf(key);
        const reconnect = await redis.cutReplica(primary);
        const laid = [1, 2, 3].map((each) => `laid ${round}.${each} ${key}`);
        await load.send('messages', `only on the primary ${round} ${key}`);
        const finishLaid = await load.layJobs(laid);
        const promotion = redis.promotion(key, primary);
        await primary.kill();
        await reconnect();
        recovery.push(await measure(load, await promotion));
        expect(await finishLaid()).toEqual(laid);
        await redis.revive(primary);
      }
    }
    await expectAll(load, 'Redis Cluster: a primary killed, its last writes lost', recovery);
  });

  test('A primary that is frozen and thawed loses nothing acknowledged; polls and sockets go on within 5 s', async () => {
    const recovery = [];
    load.start();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const key of await shards()) {
        await redis.isWhole();
        const primary = await redis.primaryOf(key);
        const promotion = redis.promotion(key, primary);
        signal(primary.pid, 'SIGSTOP');
        recovery.push(await measure(load, await promotion));
        // It still acts as the primary, until another node tells it otherwise.
        signal(primary.pid, 'SIGCONT');
      }
    }
    await redis.isWhole();
    await expectAll(load, 'Redis Cluster: a primary frozen, then back', recovery);
  });
});
