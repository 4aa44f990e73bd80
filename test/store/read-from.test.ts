/** A MariaDB with a replica: which of the two answers a read, and that no read misses stored data. */
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createConnection, type Connection } from 'mysql2/promise';
import { loadConfig } from '../../config';
import { writeExport } from '../../src/chat/commands/organisation/write-export';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import { Fault } from '../../src/kernel/fault';
import { openLog } from '../../src/kernel/log';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { openReadFrom, type ReadFrom } from '../../src/kernel/mysql/read-from';
import { checkReplica } from '../../src/ops/queries/check-mysql';
import { download } from '../api/chat/organisation/export-support';
import { bearer } from '../support/http/client';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { KEY_ONE } from '../support/telephony/companies';
import { chatIn } from '../support/kernel/parts';
import { ownDirectory, startMariadb } from '../support/servers/services';
import { until } from '../support/until';
import { startWorkers } from '../support/kernel/workers';

const PASSWORD = 'secret-of-both';
const own = ownDirectory();
type Server = Awaited<ReturnType<typeof startMariadb>>;
let servers: Server[];
let admin: Connection;
let cluster: Cluster;
let primary: Database;
let replica: Database;
let readFrom: ReadFrom;

const start = (id: number) =>
  startMariadb({
    dir: join(own.path, `mariadb-${id}`),
    password: PASSWORD,
    durable: false,
    everything: true,
    extra: [`--server-id=${id}`, ...(id === 1 ? ['--log-bin', '--binlog-format=ROW'] : [])],
  });

/** The address of the cluster's database on the other server. */
function replicaUrl(): string {
  const url = new URL(cluster.environment['DATABASE_URL']!);
  url.port = String(servers[1]!.port);
  return url.href;
}

beforeAll(async () => {
  servers = await Promise.all([1, 2].map(start));
  admin = await createConnection(servers[1]!.url);
  await admin.query(
    `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${servers[0]!.port}, MASTER_USER = 'partyline', ` +
      `MASTER_PASSWORD = '${PASSWORD}', MASTER_USE_GTID = slave_pos`,
  );
  await admin.query('START SLAVE');
  const shared = process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_URL'] = servers[0]!.url;
  cluster = await openCluster({ RATE_LIMIT: 'off' }).finally(() => {
    process.env['TEST_DATABASE_URL'] = shared;
  });
  await cluster.seed();
  const settings = { ...loadConfig({}), mysqlAcquireMs: 20_000, mysqlDeadlineMs: 20_000 };
  primary = openMysql({ ...settings, databaseUrl: cluster.environment['DATABASE_URL']! });
  replica = openMysql({ ...settings, databaseUrl: replicaUrl() });
  // A long deadline, because the machine may be slow.
  readFrom = openReadFrom(primary, replica, { replicaWaitMs: 20_000 }, openLog('silent', 'test'));
  await primary.raw('CREATE TABLE reads_of_test (id INT PRIMARY KEY)');
}, 120_000);
afterAll(async () => {
  await Promise.all([primary, replica].map((each) => closeMysql(each)));
  admin.destroy();
  await cluster.close();
  await Promise.all(servers.map((server) => server.kill()));
  own.remove();
});

const newest = async (db: Database) => {
  const [[row]] = (await db.raw('SELECT @@server_id AS server, MAX(id) AS newest FROM reads_of_test')) as [
    [{ server: number; newest: number }],
  ];
  return row;
};

test('The replica answers a read only once it has every earlier commit', async () => {
  for (let id = 1; id <= 30; id += 1) {
    await primary('reads_of_test').insert({ id });
    expect(await readFrom(newest)).toEqual({ server: 2, newest: id });
  }
});

test('A node reads lists, searches and exports from the replica, and everything else from the primary', async () => {
  const node = await cluster.node({ DATABASE_REPLICA_URL: replicaUrl(), REPLICA_WAIT_MS: '20000' });
  const asOne = { headers: bearer(KEY_ONE) };
  const listed = async () =>
    (await node.call('/system/company/contacts', asOne)).body as { id: string; first_name: string }[];
  const [contact] = await listed();
  // Data that only the replica has.
  await replica('tel_contacts').where({ id: contact!.id }).update({ first_name: 'Replicated' });
  expect((await listed()).find(({ id }) => id === contact!.id)).toMatchObject({ first_name: 'Replicated' });
  expect((await node.call(`/company/contacts/${contact!.id}`, asOne)).body).toMatchObject({
    first_name: contact!.first_name,
  });

  // It fills the table of words.
  await startWorkers(cluster, 'chat-search');
  const headers = await node.basic('member@example.com');
  const form = { type: 'stream', to: 'test', topic: 'here', content: 'a rare elephant' };
  await node.call('/api/v1/messages', { form, headers });
  const read = async (narrow: string) => {
    const query = { anchor: '10000000000000000', num_before: '1', num_after: '0', apply_markdown: 'false', narrow };
    return ((await node.call('/api/v1/messages', { query, headers })).body as { messages: { content: string }[] })
      .messages;
  };
  const search = JSON.stringify([{ operator: 'search', operand: 'elephant' }]);
  expect(
    await until(
      () => read(search),
      ({ length }) => length === 1,
    ),
  ).toMatchObject([{ content: form.content }]);
  await replica('chat_messages').where({ content: form.content }).update({ content: 'of the replica' });
  expect(await read(search)).toMatchObject([{ content: 'of the replica' }]);
  expect(await read('[]')).toMatchObject([{ content: form.content }]);

  const owner = await node.basic('owner@example.com');
  const { id } = (await node.call('/api/v1/export/realm', { method: 'POST', headers: owner })).body as { id: number };
  await writeExport(chatIn(node), { realmId: 1 as RealmId, exportId: id }, new AbortController().signal);
  expect(gunzipSync((await download(node, id)).bytes).toString()).toContain('of the replica');
  await node.close();
});

test('A fault that a read throws is passed on, and the read is not repeated', async () => {
  let reads = 0;
  const refuse = () => {
    reads += 1;
    return Promise.reject(new Fault('invalid', 'no'));
  };
  await expect(readFrom(refuse)).rejects.toThrow('no');
  expect(reads).toBe(1);
});

test('The doctor says whether the replica is up to date, and why it would not be used', async () => {
  expect(await checkReplica(primary, replica, 20_000)).toMatchObject({ level: 'ok' });
  expect(await checkReplica(replica, primary, 100)).toMatchObject({
    level: 'warn',
    advice: expect.stringContaining('log_bin'),
  });
  await admin.query('STOP SLAVE');
  await primary('reads_of_test').insert({ id: 99 });
  expect(await checkReplica(primary, replica, 100)).toMatchObject({
    level: 'warn',
    advice: expect.stringContaining('GTID'),
  });
  await admin.query('START SLAVE');
});

test('The primary answers while the replica lags or is gone', async () => {
  const hasty = openReadFrom(primary, replica, { replicaWaitMs: 100 }, openLog('silent', 'test'));
  await admin.query('STOP SLAVE');
  await primary('reads_of_test').insert({ id: 100 });
  expect(await hasty(newest)).toEqual({ server: 1, newest: 100 });
  // The replica is skipped for a while, so this read does not wait.
  expect(await hasty(newest)).toEqual({ server: 1, newest: 100 });
  await admin.query('START SLAVE');
  await until(
    () => hasty(newest),
    ({ server }) => server === 2,
    30_000,
  );
  await servers[1]!.kill();
  expect(await hasty(newest)).toEqual({ server: 1, newest: 100 });
});
