/**
 * Sentinels and a Redis Cluster that require TLS and client certificates; and what a broken handshake does to a
 * process.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onFreePorts } from '../../../scripts/lib/ports';
import { cliOf } from '../../api/cli/run';
import { openCluster, type Environment } from '../../support/kernel/cluster';
import { openGarblingProxy } from '../../support/proxies/garbling-proxy';
import { killAll, startProcess } from '../../support/processes/processes';
import { writeCertificates } from '../../support/servers/redis-certificates';
import { startRedisCluster } from '../../support/servers/redis-cluster';
import { NAME, startSentinel, watching } from '../../support/servers/sentinels';
import { ownDirectory, startRedis } from '../../support/servers/services';
import { expectEverythingWorks } from '../../support/servers/works-on-redis';

const PASSWORD = 'secret-of-redis';
const own = ownDirectory();
const certificates = writeCertificates(join(own.path, 'certificates'));

/** What a test connects to, and how it ends. */
interface Store {
  readonly environment: Environment;
  /** Every server, by the port of its unencrypted connections. */
  readonly operators: readonly Redis[];
  close(): Promise<void>;
}

const operatorOf = (port: number, password = PASSWORD) => new Redis({ port, password });

const newDirectory = () => mkdtempSync(join(own.path, 'server-'));

const startTlsRedis = () =>
  onFreePorts(async (next) => {
    const tlsPort = await next();
    const extra = certificates.lines(tlsPort);
    return { tlsPort, server: await startRedis({ dir: newDirectory(), password: PASSWORD, extra }) };
  });

async function startSentinelAndPrimary(): Promise<Store & { readonly sentinelPort: number }> {
  const { tlsPort, server: primary } = await startTlsRedis();
  const lines = [watching(tlsPort), `sentinel auth-pass ${NAME} ${PASSWORD}`];
  const sentinel = await startSentinel(newDirectory(), lines, certificates.lines);
  const { tlsPort: sentinelPort } = sentinel;
  const operators = [operatorOf(primary.port), new Redis({ port: sentinel.port })];
  const place = `127.0.0.1:${sentinelPort}/${NAME}`;
  return {
    environment: { REDIS_URL: `rediss+sentinel://:${PASSWORD}@${place}${certificates.options}` },
    sentinelPort,
    operators,
    async close() {
      for (const operator of operators) operator.disconnect();
      await Promise.all([sentinel.kill(), primary.kill()]);
    },
  };
}

async function startShards(): Promise<Store & { readonly ports: readonly number[] }> {
  const redis = await startRedisCluster(newDirectory(), { hasReplicas: false, certificates });
  const operators = redis.servers.map(({ port }) => operatorOf(port));
  return {
    environment: redis.environment,
    ports: redis.ports,
    operators,
    async close() {
      for (const operator of operators) operator.disconnect();
      await redis.close();
    },
  };
}

/** Our connections on the unencrypted port; the operator's own has no name. */
async function unencrypted(operator: Redis): Promise<string[]> {
  const lines = String(await operator.client('LIST')).split('\n');
  const { port } = operator.options;
  return lines.filter((line) => line.includes(`laddr=127.0.0.1:${port} `) && /name=\S/.test(line));
}

afterAll(async () => {
  await killAll();
  own.remove();
});

test.each([
  ['Sentinels', startSentinelAndPrimary, { level: 'ok' }],
  ['a Redis Cluster', startShards, { level: 'warn', says: '3 primaries of a Redis Cluster, not all with a replica' }],
])('A node, its events, a job and the command line use only encrypted connections to %s', async (_, start, role) => {
  const store = await start();
  const cluster = await openCluster(store.environment);
  await cluster.seed();
  await expectEverythingWorks(cluster);
  const { json } = await cliOf(cluster.environment)(['doctor', '--json']);
  expect((json.checks as object[]).filter((each) => 'check' in each && each.check === 'redis-role')).toEqual([
    expect.objectContaining(role),
  ]);

  expect((await Promise.all(store.operators.map(unencrypted))).flat()).toEqual([]);
  await cluster.close();
  await store.close();
});

test('A TLS connection with two errors does not end a process, which says why it cannot start', async () => {
  const sentinels = await startSentinelAndPrimary();
  const shards = await startShards();
  const cluster = await openCluster();
  const { tlsPort, server: single } = await startTlsRedis();
  const targets = [
    ['rediss', tlsPort, '/1'],
    ['rediss+sentinel', sentinels.sentinelPort, `/${NAME}`],
    ['rediss+cluster', shards.ports[0]!, ''],
  ] as const;
  for (const [scheme, port, path] of targets) {
    const proxy = await openGarblingProxy(port);
    const url = `${scheme}://:${PASSWORD}@127.0.0.1:${proxy.port}${path}${certificates.unchecked}`;
    const node = startProcess('src/main.ts', { ...cluster.environment, REDIS_URL: url });
    expect({ scheme, code: await node.ended, said: node.output() }).toEqual({
      scheme,
      code: 1,
      said: expect.stringMatching(/^partyline: could not start: .* cannot be reached \(.*\)\n$/),
    });
    expect(proxy.garbled).toBeGreaterThan(0);
    await proxy.close();
  }
  await cluster.close();
  await single.kill();
  await Promise.all([shards.close(), sentinels.close()]);
});
