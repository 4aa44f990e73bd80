import { DeadlineExceeded } from '../../src/kernel/deadline';
import { send } from '../../src/kernel/mysql/direct';
import { CommitUnknown, isUnreachable } from '../../src/kernel/mysql/outcome';
import { runPacket } from '../../src/kernel/mysql/packet';
import { withMigrationLock } from '../../src/kernel/mysql/migrate';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { retryDeadlocks } from '../../src/kernel/mysql/retry-deadlocks';
import { beginTransaction } from '../../src/kernel/mysql/transaction';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { openSilentProxy } from '../support/proxies/silent-proxy';
import { standStill } from '../support/processes/stand-still';
import { isInTransaction } from '../support/kernel/session';
import { until } from '../support/until';

let cluster: Cluster;
let db: Database;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());
beforeEach(() => {
  db = openMysql({ ...cluster.config(), mysqlConnections: 3, mysqlAcquireMs: 5000 });
});
afterEach(() => closeMysql(db));

const ASK = 'SELECT CONNECTION_ID() AS id';
const idOf = async (): Promise<number> => ((await send(db, ASK, [])) as [{ id: number }])[0].id;
const idByKnex = async (): Promise<number> => ((await db.raw(ASK)) as [[{ id: number }]])[0][0].id;

test('A free MySQL connection is reused by statements, query builders and transactions', async () => {
  const first = await idOf();
  const others = [await idByKnex(), await db.transaction(async (tx) => (await tx.raw(ASK))[0][0].id), await idOf()];
  expect(others).toEqual([first, first, first]);
});

test('A pool never opens more connections than its limit, and every caller that waits gets one', async () => {
  const slow = 'SELECT CONNECTION_ID() AS id, SLEEP(0.02)';
  const ask = async (index: number) =>
    (index % 2 ? ((await db.raw(slow)) as [[{ id: number }]])[0] : ((await send(db, slow, [])) as [{ id: number }]))[0];
  const ids = (await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index)))).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

test('Transactions that run at the same time do not share a connection', async () => {
  await idOf();
  const ids = await Promise.all(
    [1, 2, 3].map(() =>
      db.transaction(async (tx) => {
        // Longer than connecting takes.
        await tx.raw('SELECT SLEEP(0.5)');
        return (await tx.raw(ASK))[0][0].id as number;
      }),
    ),
  );
  expect(new Set(ids).size).toBe(3);
});

test('A connection that broke while it was idle is not used again', async () => {
  const broken = await idOf();
  const other = openMysql({ ...cluster.config(), mysqlConnections: 1 });
  await other.raw(`KILL ${broken}`);
  await closeMysql(other);
  await until(async () => (await idOf().catch(() => broken)) !== broken);
  const next = await idOf();
  expect(next).not.toBe(broken);
  expect(await idOf()).toBe(next);
});

test('A packet that fails leaves no transaction open on the connection that it used', async () => {
  const alone = openMysql({ ...cluster.config(), mysqlConnections: 1 });
  await alone.raw('CREATE TABLE packets_of_test (id INT PRIMARY KEY)');
  const twice = 'INSERT INTO packets_of_test VALUES (1)';
  await expect(runPacket(alone, [twice, twice], [])).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
  expect(await isInTransaction(alone)).toBe(false);
  expect((await alone.raw('SELECT COUNT(*) AS kept FROM packets_of_test'))[0]).toEqual([{ kept: 0 }]);
  await closeMysql(alone);
});

test('A packet that got no connection has certainly changed nothing, unlike one that got no response', async () => {
  const alone = openMysql({ ...cluster.config(), mysqlConnections: 1, mysqlAcquireMs: 300, mysqlDeadlineMs: 2000 });
  const busy = send(alone, 'SELECT SLEEP(1)', []);
  const unsent = await runPacket(alone, ['SELECT 1'], []).catch((error: unknown) => error);
  expect(isUnreachable(unsent)).toBe(true);
  expect(unsent).not.toBeInstanceOf(CommitUnknown);
  await busy;
  await expect(runPacket(alone, ['SELECT SLEEP(5)'], [])).rejects.toThrow(CommitUnknown);
  await closeMysql(alone);
});

test('A statement without a response at its deadline has its socket closed, even if the server is frozen', async () => {
  const proxy = await openSilentProxy(Number(new URL(cluster.config().databaseUrl).port));
  const url = new URL(cluster.config().databaseUrl);
  url.port = String(proxy.port);
  const hurried = openMysql({ ...cluster.config(), databaseUrl: url.href, mysqlConnections: 3, mysqlDeadlineMs: 1000 });
  const sleepy = [1, 2, 3].map(() => send(hurried, 'SELECT SLEEP(0.2)', []));
  await Promise.all(sleepy);
  proxy.silence();
  await expect(send(hurried, ASK, [])).rejects.toThrow(DeadlineExceeded);
  // The other two were silent for as long: they are dropped without waiting for their own deadline.
  expect(await send(hurried, ASK, [])).toHaveLength(1);
  // Closing does not wait for a goodbye that is never answered.
  await closeMysql(hurried);
  await proxy.close();
});

test('A statement that was answered while the process was blocked does not time out', async () => {
  const hurried = openMysql({ ...cluster.config(), mysqlConnections: 1, mysqlDeadlineMs: 1000 });
  await send(hurried, ASK, []);
  const answered = send(hurried, 'SELECT SLEEP(0.3)', []);
  // By then the statement has been sent.
  await new Promise(setImmediate);
  standStill(1500);
  expect(await answered).toHaveLength(1);
  await closeMysql(hurried);
});

test('The server ends a transaction that lies idle, and its locks with it', async () => {
  const [[{ version }]] = (await db.raw('SELECT VERSION() AS version')) as [[{ version: string }]];
  // Only MariaDB ends transactions; others end connections, after a minute.
  if (!version.includes('MariaDB')) return;
  await db.raw('CREATE TABLE held_of_test (id INT PRIMARY KEY)');
  await db.raw('INSERT INTO held_of_test VALUES (1)');
  const frozen = openMysql({ ...cluster.config(), mysqlConnections: 1, mysqlDeadlineMs: 1000 });
  const idle = await beginTransaction(frozen);
  await idle('held_of_test').forUpdate().select('id');
  const change = () => retryDeadlocks(() => Promise.resolve(db('held_of_test').update({ id: 2 })));
  await until(
    () => change().catch(() => 0),
    (changed) => changed === 1,
  );
  await expect(idle('held_of_test').select('id')).rejects.toMatchObject({ fatal: true });
  await idle.rollback().catch(() => {});
  await closeMysql(frozen);
});

test('A statement waits for a lock for two seconds at most, and a connection ends after an idle minute', async () => {
  const [[row]] = await db.raw('SELECT @@innodb_lock_wait_timeout AS lockWait, @@wait_timeout AS idle');
  expect(row).toEqual({ lockWait: 2, idle: 60 });
});

test('The connection that holds the lock of migrations may lie idle', async () => {
  const timeouts = 'SELECT @@wait_timeout AS idle, @@idle_transaction_timeout AS idleInTransaction';
  const alone = openMysql({ ...cluster.config(), mysqlConnections: 1 });
  await withMigrationLock(alone, () => Promise.resolve());
  if ((await alone.raw('SELECT VERSION() AS version'))[0][0].version.includes('MariaDB')) {
    expect((await alone.raw(timeouts))[0]).toEqual([{ idle: 28800, idleInTransaction: 0 }]);
  }
  await closeMysql(alone);
});
