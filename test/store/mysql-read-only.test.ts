/** A server that has become a replica: it answers, but refuses every write. */
import { join } from 'node:path';
import { loadConfig } from '../../config';
import { isUnreachable } from '../../src/kernel/mysql/outcome';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { checkTakesWrites } from '../../src/kernel/health/health';
import { ownDirectory, startMariadb } from '../support/servers/services';

const own = ownDirectory();
let mariadb: Awaited<ReturnType<typeof startMariadb>>;
let db: Database;

beforeAll(async () => {
  // The account lacks global privileges, with which it could write in spite of --read-only.
  mariadb = await startMariadb({ dir: join(own.path, 'mariadb'), durable: false, extra: ['--read-only'] });
  db = openMysql({ ...loadConfig({}), databaseUrl: mariadb.url, mysqlAcquireMs: 20_000 });
});
afterAll(async () => {
  await closeMysql(db);
  await mariadb.kill();
  own.remove();
});

test('A write that a read-only server refuses counts as an outage and ends the connection', async () => {
  const connection = async () => (await db.raw('SELECT CONNECTION_ID() AS id'))[0][0].id as number;
  const before = await connection();
  expect(await connection()).toBe(before);
  const error = await db.raw('CREATE TABLE of_test (id INT)').catch((failure: unknown) => failure);
  expect(error).toMatchObject({ errno: 1290 });
  expect(isUnreachable(error)).toBe(true);
  expect(await connection()).not.toBe(before);
});

test('A read-only server is not ready, and the reason says so', async () => {
  await expect(checkTakesWrites(db)).rejects.toThrow('MySQL takes no writes: it is read-only');
});
