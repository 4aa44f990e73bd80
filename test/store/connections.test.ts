import { send } from '../../src/kernel/mysql/direct';
import { openMysql, type Database } from '../../src/kernel/mysql/pool';
import { openCluster, type Cluster } from '../support/cluster';
import { standStill } from '../support/stand-still';
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
afterEach(() => db.destroy());

interface Pool {
  numUsed(): number;
  numFree(): number;
}
const pool = (): Pool => (db.client as { pool: Pool }).pool;

const ASK = 'SELECT CONNECTION_ID() AS id';
const idOf = async (): Promise<number> => ((await send(db, ASK, [])) as [{ id: number }])[0].id;
const idByKnex = async (): Promise<number> => ((await db.raw(ASK)) as [[{ id: number }]])[0][0].id;

test('a connection is handed from one to the next, whichever way they ask', async () => {
  const first = await idOf();
  const others = [await idByKnex(), await db.transaction(async (tx) => (await tx.raw(ASK))[0][0].id), await idOf()];
  expect(others).toEqual([first, first, first]);
});

test('there are never more than there may be, and everybody in line gets one', async () => {
  const slow = 'SELECT CONNECTION_ID() AS id, SLEEP(0.02)';
  const ask = async (index: number) =>
    (index % 2 ? ((await db.raw(slow)) as [[{ id: number }]])[0] : ((await send(db, slow, [])) as [{ id: number }]))[0];
  const ids = (await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index)))).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

test('transactions do not share one', async () => {
  await idOf();
  const ids = await Promise.all(
    [1, 2, 3].map(() =>
      db.transaction(async (tx) => {
        // Longer than it takes to connect.
        await tx.raw('SELECT SLEEP(0.5)');
        return (await tx.raw(ASK))[0][0].id as number;
      }),
    ),
  );
  expect(new Set(ids).size).toBe(3);
});

test('one that broke while nobody used it is not handed on', async () => {
  const broken = await idOf();
  const other = openMysql({ ...cluster.config(), mysqlConnections: 1 });
  await other.raw(`KILL ${broken}`);
  await other.destroy();
  await until(async () => (await idOf().catch(() => broken)) !== broken);
  const next = await idOf();
  expect(next).not.toBe(broken);
  expect(await idOf()).toBe(next);
});

test('those that nobody wants any more go back to the pool', async () => {
  await Promise.all([1, 2, 3].map(() => send(db, 'SELECT SLEEP(0.02)', [])));
  // As many as were needed at once.
  const kept = pool().numUsed();
  expect(kept).toBeGreaterThan(0);
  await until(() => Promise.resolve(pool().numFree() === kept));
  expect(typeof (await idOf())).toBe('number');
});

test('a statement that was answered while the process stood still is not late', async () => {
  const hurried = openMysql({ ...cluster.config(), mysqlConnections: 1, mysqlDeadlineMs: 1000 });
  await send(hurried, ASK, []);
  const answered = send(hurried, 'SELECT SLEEP(0.3)', []);
  // It is sent by then.
  await new Promise(setImmediate);
  standStill(1500);
  expect(await answered).toHaveLength(1);
  await hurried.destroy();
});
