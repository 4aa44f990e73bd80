import { loadConfig } from '../../config';
import { DeadlineExceeded } from '../../src/kernel/deadline';
import { migrate, migrateDown, pendingMigrations, withMigrationLock } from '../../src/kernel/mysql/migrate';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { migrationFolders, productsOf } from '../../src/products';
import { openTestDatabase, type TestDatabase } from '../support/kernel/database';
import { openSilentProxy } from '../support/proxies/silent-proxy';

let database: TestDatabase;
let processes: Database[];
let folders: string[];

beforeAll(async () => {
  database = await openTestDatabase({ migrated: false });
  const config = loadConfig({ DATABASE_URL: database.url, MYSQL_DEADLINE_MS: '60000' });
  folders = migrationFolders(productsOf(config));
  processes = [1, 2, 3].map(() => openMysql(config));
});
afterAll(async () => {
  await Promise.all(processes.map((db) => closeMysql(db)));
  await database.drop();
});

test('Three processes that migrate at once run each migration once, and all end up to date', async () => {
  const pending = await pendingMigrations(processes[0]!, folders);
  expect(pending.length).toBeGreaterThan(3);
  const ran = await Promise.all(processes.map((db) => migrate(db, folders)));
  expect(ran.flat().sort()).toEqual([...pending].sort());
  expect(await pendingMigrations(processes[1]!, folders)).toEqual([]);
  expect(await migrate(processes[2]!, folders)).toEqual([]);
});

test.each([
  ['20261116000150_former', 'the database is of a state before 1.0.0, which cannot be upgraded'],
  ['29991231000000_later', 'the database is of a later version'],
])('A database with the unknown migration %s is refused: %s', async (name, reason) => {
  const [db] = processes as [Database];
  await db('kernel_migrations').insert({ name, batch: 9, migration_time: new Date() });
  await expect(migrate(db, folders)).rejects.toThrow(`${reason} (migration ${name}): see docs/UPGRADING.md`);
  await db('kernel_migrations').where({ name }).delete();
});

test('Every migration can be rolled back and run again', async () => {
  const [db] = processes as [Database];
  await migrateDown(db, folders);
  const [tables] = (await db.raw('SHOW TABLES')) as [Record<string, string>[]];
  expect(tables.map((row) => Object.values(row)[0]).filter((name) => !name!.startsWith('kernel_migrations'))).toEqual(
    [],
  );
  expect((await migrate(db, folders)).length).toBeGreaterThan(3);
});

test('A migration whose process was killed halfway is run again, and keeps what is there', async () => {
  const [db] = processes as [Database];
  await db('kernel_tenant_limits').insert({ tenant: 'chat:1', name: 'rate', most: 5 });
  await db('kernel_migrations').where('name', 'like', '%_create_kernel_tables').delete();
  await db.schema.dropTable('kernel_mailbox_leases');
  expect(await migrate(db, folders)).toHaveLength(1);
  expect(await db('kernel_mailbox_leases')).toEqual([]);
  expect(await db('kernel_tenant_limits')).toHaveLength(1);
});

test('A lock row that a killed migration left behind does not block the next one', async () => {
  const [db] = processes as [Database];
  await db('kernel_migrations_lock').update({ is_locked: 1 });
  expect(await migrate(db, folders)).toEqual([]);
});

test('Work under the migration lock does not start if MySQL does not answer the BEGIN, and the error says why', async () => {
  const url = new URL(database.url);
  const proxy = await openSilentProxy(Number(url.port));
  url.port = String(proxy.port);
  const db = openMysql(loadConfig({ DATABASE_URL: url.href, MYSQL_CONNECTIONS: '1', MYSQL_DEADLINE_MS: '1000' }));
  await db.raw('SELECT 1');
  proxy.silence();
  const work = jest.fn(() => Promise.resolve());
  await expect(withMigrationLock(db, work)).rejects.toThrow(DeadlineExceeded);
  expect(work).not.toHaveBeenCalled();
  await closeMysql(db);
  await proxy.close();
});
