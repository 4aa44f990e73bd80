// Servers that speak the Redis protocol but cannot be used are refused at the start, with a message that says what to
// change.
import { join } from 'node:path';
import { onFreePorts } from '../../../scripts/lib/ports';
import { cliOf } from '../../api/cli/run';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { killAll, startProcess } from '../../support/processes/processes';
import { NAME, startSentinel, watching } from '../../support/servers/sentinels';
import { DEAD_PORT, ownDirectory, startRedis } from '../../support/servers/services';

const own = ownDirectory();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(async () => {
  await killAll();
  await cluster.close();
  own.remove();
});

async function expectRefused(REDIS_URL: string, sentence: string): Promise<void> {
  const environment = { ...cluster.environment, REDIS_URL };
  for (const script of ['src/main.ts', 'workers/main.ts']) {
    const refused = startProcess(script, environment);
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(`partyline: could not start: Error: ${sentence}`);
  }
  const { code, json } = await cliOf(environment)(['status', '--json']);
  expect(code).toBe(1);
  expect(json.redis).toMatchObject({ ok: false, error: sentence });
}

test('The port of a Sentinel is refused as a Redis address, and the error names the primary that it watches', async () => {
  const sentinel = await startSentinel(join(own.path, 'sentinel'), [watching(DEAD_PORT)]);
  const place = `127.0.0.1:${sentinel.port}`;
  try {
    await expectRefused(
      `redis://${place}`,
      `REDIS_URL names a Sentinel, which keeps no data: write redis+sentinel://${place}/${NAME} with all your Sentinels`,
    );
  } finally {
    await sentinel.kill();
  }
});

test('A node of a Redis Cluster is refused as a single Redis, and the error says what to write instead', async () => {
  const node = await onFreePorts(async (next) =>
    startRedis({
      dir: join(own.path, 'cluster'),
      password: '',
      appendonly: false,
      // By default it opens a port, which may not exist.
      extra: ['cluster-enabled yes', `cluster-port ${await next()}`],
    }),
  );
  try {
    await expectRefused(
      node.url,
      `REDIS_URL names a node of a Redis Cluster: write redis+cluster://127.0.0.1:${node.port} with some of its other nodes`,
    );
  } finally {
    await node.kill();
  }
});

test('A single Redis is refused as a node of a Redis Cluster, and the error says what to write instead', async () => {
  await expectRefused(
    cluster.environment['REDIS_URL']!.replace('redis://', 'redis+cluster://').replace(/\/\d*$/, ''),
    'REDIS_URL names a server outside a Redis Cluster: write redis://host:6379, or redis+sentinel://host:26379/name',
  );
});
