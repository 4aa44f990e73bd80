import { gatherReads, known, readOf, runRead, runSnapshot, together } from '../../src/kernel/mysql/read-packet';
import { gatherSnapshot } from '../../src/kernel/mysql/snapshot';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { isInTransaction, isolationOf } from '../support/kernel/session';
import { until } from '../support/until';

let cluster: Cluster;
let db: Database;
let sent: string[];

beforeAll(async () => {
  cluster = await openCluster();
  db = openMysql({ ...cluster.config(), mysqlConnections: 1 });
  await db.raw('CREATE TABLE reads_of_test (id INT PRIMARY KEY, word VARCHAR(20) NOT NULL)');
  await db('reads_of_test').insert([
    { id: 1, word: 'one' },
    { id: 2, word: 'two' },
  ]);
  db.on('query', ({ sql }: { sql: string }) => sent.push(sql));
});
afterAll(async () => {
  await closeMysql(db);
  await cluster.close();
});
beforeEach(() => {
  sent = [];
});

const wordOf = (id: number) =>
  readOf('SELECT word FROM reads_of_test WHERE id = ?', [id], ([row]: readonly { word: string }[]) => row?.word);

test('Reads in one packet cost one round trip, and each gets its own rows', async () => {
  const read = together({ one: wordOf(1), list: together([wordOf(2), known('known'), wordOf(3)]), none: known(null) });
  expect(await runRead(db, read)).toEqual({ one: 'one', list: ['two', 'known', undefined], none: null });
  expect(sent).toHaveLength(1);
});

test('A read packet may have one statement or none', async () => {
  expect(await runRead(db, wordOf(1))).toBe('one');
  expect(await runRead(db, together([known(1), known(2)]))).toEqual([1, 2]);
  expect(sent).toHaveLength(1);
});

test('Reads that are requested at the same time, or after the same answer, share a round trip', async () => {
  const read = gatherReads(db);
  const next = async (id: number) => [await read(wordOf(id)), await read(wordOf(id + 1))];
  expect(await Promise.all([next(0), next(1), read(known('known'))])).toEqual([
    [undefined, 'one'],
    ['one', 'two'],
    'known',
  ]);
  expect(sent).toHaveLength(2);
});

test('A read that fails fails for everybody who shares its round trip, and later reads go on', async () => {
  const read = gatherReads(db);
  const wrong = readOf('SELECT nothing FROM reads_of_test', [], () => undefined);
  const shared = await Promise.allSettled([read(wordOf(1)), read(wrong)]);
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read(wordOf(1))).toBe('one');
});

test('A snapshot of gathered reads begins with the first of them, and ends its transaction', async () => {
  const writer = openMysql(cluster.config());
  const seen = await gatherSnapshot(db, async (read) => {
    const first = await read(wordOf(1));
    await writer('reads_of_test').where({ id: 2 }).update({ word: 'changed' });
    return [first, await read(wordOf(2))];
  });
  expect(seen).toEqual(['one', 'two']);
  await until(async () => sent.includes('COMMIT') && !(await isInTransaction(db)));
  expect(sent.filter((sql) => sql.includes('START TRANSACTION'))).toHaveLength(1);
  expect(await isolationOf(db)).toBe('READ-COMMITTED');
  await writer('reads_of_test').where({ id: 2 }).update({ word: 'two' });
  await closeMysql(writer);
});

test('A read that comes after the end of its snapshot is refused, and a failed one ends it', async () => {
  let late: Promise<unknown> | undefined;
  const wrong = readOf('SELECT nothing FROM reads_of_test', [], () => undefined);
  const failed = gatherSnapshot(db, async (read) => {
    late = read(wrong).catch(() => read(wordOf(1)));
    await read(wrong);
  });
  await expect(failed).rejects.toThrow('nothing');
  await expect(late).rejects.toThrow('over');
  await until(async () => !(await isInTransaction(db)));
});

test('A snapshot costs one round trip and ends its transaction', async () => {
  const words = await runSnapshot(db, together([wordOf(1), wordOf(2)]));
  expect(words).toEqual(['one', 'two']);
  expect(sent).toHaveLength(1);
  expect(await isInTransaction(db)).toBe(false);
  expect(await isolationOf(db)).toBe('READ-COMMITTED');
});

test('A snapshot sees nothing that another connection commits between its statements', async () => {
  const writer = openMysql({ ...cluster.config(), mysqlConnections: 1 });
  const slow = readOf('SELECT SLEEP(1)', [], () => undefined);
  const reading = runSnapshot(db, together({ before: wordOf(1), slow, after: wordOf(1) }));
  await until(async () => {
    const [[{ sleeping }]] = await writer.raw(
      "SELECT COUNT(*) AS sleeping FROM information_schema.processlist WHERE state = 'User sleep'",
    );
    return sleeping > 0;
  });
  await writer('reads_of_test').where({ id: 1 }).update({ word: 'changed' });
  await closeMysql(writer);
  const { before, after } = await reading;
  expect(after).toBe(before);
});

test('A snapshot that fails leaves no transaction open', async () => {
  const wrong = readOf('SELECT nothing FROM reads_of_test', [], () => undefined);
  await expect(runSnapshot(db, together([wordOf(1), wrong]))).rejects.toMatchObject({ code: 'ER_BAD_FIELD_ERROR' });
  expect(await isInTransaction(db)).toBe(false);
});
