/** A MariaDB that requires TLS: nodes, sends, migrations and the command line all reach it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeMysql, openMysql } from '../../src/kernel/mysql/pool';
import { cliOf, type Cli } from '../api/cli/run';
import { makeAuthority } from '../support/servers/certificates';
import { callerOf } from '../support/chat/people';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { ownDirectory, startMariadb } from '../support/servers/services';
import { until } from '../support/until';

const own = ownDirectory();
const file = (name: string) => join(own.path, name);
const authority = makeAuthority('Authority of a test');
let mariadb: Awaited<ReturnType<typeof startMariadb>>;
let cluster: Cluster;
let cli: Cli;

function certifyServer(host: string): void {
  const { cert, key } = authority.issue(host);
  writeFileSync(file('server.pem'), cert);
  writeFileSync(file('server-key.pem'), key);
}

/** The address of the cluster's database with other options, or another host. */
function address(options: string, host = '127.0.0.1'): string {
  const url = new URL(cluster.environment['DATABASE_URL']!);
  url.hostname = host;
  url.search = options;
  return url.href;
}

beforeAll(async () => {
  writeFileSync(file('ca.pem'), authority.cert);
  writeFileSync(file('other-ca.pem'), makeAuthority('Authority of a test').cert);
  certifyServer('db.example');
  mariadb = await startMariadb({
    dir: join(own.path, 'mariadb'),
    durable: false,
    everything: true,
    extra: [`--ssl-cert=${file('server.pem')}`, `--ssl-key=${file('server-key.pem')}`, '--require-secure-transport=ON'],
  });
  const shared = process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_URL'] = `${mariadb.url}?ssl=verify-ca&ca=${file('ca.pem')}`;
  try {
    // This also migrates.
    cluster = await openCluster();
  } finally {
    process.env['TEST_DATABASE_URL'] = shared;
  }
  await cluster.seed();
  cli = cliOf(cluster.environment);
});
afterAll(async () => {
  await cluster.close();
  await mariadb.kill();
  own.remove();
});

test('A node sends and reads messages on a server that requires TLS', async () => {
  const node = await cluster.node();
  await until(async () => (await node.call('/readyz')).status === 200);
  const caller = await callerOf(node, 'member@example.com');
  const sent = await caller.post('/messages', { type: 'private', to: '["owner@example.com"]', content: 'sealed' });
  expect(sent.body).toMatchObject({ result: 'success' });
  const read = await caller.get('/messages', { anchor: '10000000000000000', num_before: '1', num_after: '0' });
  expect(read.body.messages).toMatchObject([{ content: '<p>sealed</p>' }]);
});

test('The command line reaches a server that requires TLS, and doctor names the cipher', async () => {
  expect(await cli(['migrate'])).toMatchObject({ code: 0, out: 'nothing to do\n' });
  expect((await cli(['user', 'list'])).out).toContain('member@example.com');
  const { json } = await cli(['doctor', '--json']);
  expect(json.checks).toContainEqual({
    check: 'mysql-tls',
    level: 'ok',
    says: expect.stringMatching(/^encrypted with TLS/),
  });
});

test.each([
  ['without TLS', '', /Access denied|insecure transport/],
  ['with another authority', `ssl=verify-ca&ca=${file('other-ca.pem')}`, /certificate/],
  ['with an unknown option', 'sslmode=require', /"sslmode" is not an option/],
])('A process that connects %s is refused, and its error says so', async (_, options, reason) => {
  const { code, err } = await cli(['user', 'list'], { environment: { DATABASE_URL: address(options) } });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(reason) });
  await expect(
    cluster.kernel({ DATABASE_URL: address(options) }).then((kernel) => kernel.mysql.raw('SELECT 1')),
  ).rejects.toThrow();
});

test('The option ssl=verify refuses the certificate of another host, and accepts one that names the host', async () => {
  const environment = { DATABASE_URL: address(`ssl=verify&ca=${file('ca.pem')}`, 'localhost') };
  expect((await cli(['user', 'list'], { environment })).err).toMatch(/localhost.* not in the cert's altnames/i);
  certifyServer('localhost');
  const db = openMysql(cluster.config());
  await db.raw('FLUSH SSL');
  await closeMysql(db);
  expect(await cli(['user', 'list'], { environment })).toMatchObject({ code: 0, err: '' });
});

test("The option ssl=required encrypts without checking the certificate's signer", async () => {
  const environment = { DATABASE_URL: address('ssl=required') };
  expect(await cli(['user', 'list'], { environment })).toMatchObject({ code: 0, err: '' });
});
