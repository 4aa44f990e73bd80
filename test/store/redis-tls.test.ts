/** A Redis that requires TLS and client certificates: nodes, sockets, jobs and the command line all reach it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onFreePorts } from '../../scripts/lib/ports';
import { cliOf } from '../api/cli/run';
import { makeAuthority, type Certificate } from '../support/servers/certificates';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { ownDirectory, startRedis } from '../support/servers/services';
import { expectEverythingWorks } from '../support/servers/works-on-redis';

const own = ownDirectory();
const file = (name: string) => join(own.path, name);
const authority = makeAuthority('Authority of a test');
let port: number;
let redis: Awaited<ReturnType<typeof startRedis>>;
let cluster: Cluster;

function write(name: string, { cert, key }: Certificate): void {
  writeFileSync(file(`${name}.pem`), cert);
  writeFileSync(file(`${name}-key.pem`), key);
}

const address = (options: string, host = '127.0.0.1') => `rediss://:${redis.password}@${host}:${port}/1${options}`;
const ownAuthority = () => `ca=${file('ca.pem')}`;
const ownCertificate = () => `cert=${file('client.pem')}&key=${file('client-key.pem')}`;

beforeAll(async () => {
  write('ca', authority);
  write('other', makeAuthority('Authority of a test'));
  write('server', authority.issue('127.0.0.1'));
  write('client', authority.issue('partyline.example'));
  redis = await onFreePorts(async (next) => {
    port = await next();
    return startRedis({
      dir: join(own.path, 'redis'),
      appendonly: false,
      extra: [
        `tls-port ${port}`,
        `tls-cert-file ${file('server.pem')}`,
        `tls-key-file ${file('server-key.pem')}`,
        `tls-ca-cert-file ${file('ca.pem')}`,
        'tls-auth-clients yes',
      ],
    });
  });
  cluster = await openCluster({ REDIS_URL: address(`?${ownAuthority()}&${ownCertificate()}`) });
  await cluster.seed();
});
afterAll(async () => {
  await cluster.close();
  await redis.kill();
  own.remove();
});

test('A node, its events, its sockets and a job use only encrypted connections to Redis', async () => {
  await expectEverythingWorks(cluster);

  const operator = new Redis(redis.url);
  const clients = String(await operator.client('LIST'))
    .trim()
    .split('\n');
  const others = clients.filter((line) => !line.includes(`laddr=127.0.0.1:${port} `));
  const roles = clients.map((line) => /name=\S+?\.([a-z-]+)/.exec(line)?.[1]);
  // The connection that asks came in on the other port.
  expect(others).toHaveLength(1);
  expect(roles).toEqual(expect.arrayContaining(['commands', 'subscriber', 'socket-subscriber', 'jobs']));
  operator.disconnect();
});

test('The command line uses the encrypted address, and doctor finds nothing wrong with Redis', async () => {
  const { code, json } = await cliOf(cluster.environment)(['doctor', '--json']);
  const checks = json.checks as { check: string; level: string; says: string }[];
  expect(checks.filter(({ check, level }) => check.startsWith('redis') && level === 'fail')).toEqual([]);
  expect(checks.find(({ check }) => check === 'redis')?.says).toBe(`answers at 127.0.0.1:${port}`);
  expect(code).toBe(0);
});

test.each([
  ['an authority that nobody named', () => address(`?${ownCertificate()}`), /certificate/],
  ['another authority', () => address(`?ca=${file('other.pem')}&${ownCertificate()}`), /certificate/],
  [
    'a host that the certificate does not name',
    () => address(`?${ownAuthority()}&${ownCertificate()}`, 'localhost'),
    /altnames/,
  ],
  ['no certificate of ours', () => address(`?${ownAuthority()}`), /certificate|closed|reset|alert/],
])('The command line reports why the TLS connection to Redis fails: %s', async (_, url, reason) => {
  const { code, json, out } = await cliOf({ ...cluster.environment, REDIS_URL: url() })(['status', '--json']);
  expect(code).toBe(1);
  expect(json.redis).toMatchObject({ ok: false, error: expect.stringMatching(reason) });
  expect(out).not.toContain(redis.password);
});

test('A process that cannot verify the certificate of Redis says so when it gives up', async () => {
  const refused = await cluster.kernel({ REDIS_URL: address(`?${ownCertificate()}`) }).catch((error: Error) => error);
  expect(refused).toMatchObject({
    message: `Redis at 127.0.0.1:${port} cannot be reached`,
    cause: { message: expect.stringMatching(/certificate/) },
  });
});
