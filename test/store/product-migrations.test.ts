// Two products may share a database although no process knows both.
import { loadConfig, type Config } from '../../config';
import { migrate, migrateDown, pendingMigrations } from '../../src/kernel/mysql/migrate';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { migrationFolders, productsOf, unservedProducts } from '../../src/products';
import { openTestDatabase, type TestDatabase } from '../support/kernel/database';

let database: TestDatabase;
let db: Database;
const configs: Record<string, Config> = {};

beforeAll(async () => {
  database = await openTestDatabase({ migrated: false });
  for (const product of ['chat', 'telephony']) {
    configs[product] = loadConfig({ DATABASE_URL: database.url, MYSQL_DEADLINE_MS: '60000', PRODUCTS: product });
  }
  db = openMysql(configs['chat']!);
});
afterAll(async () => {
  await closeMysql(db);
  await database.drop();
});

const foldersOf = (product: string) => migrationFolders(productsOf(configs[product]!));
const migrateAs = (product: string) =>
  migrate(
    db,
    foldersOf(product),
    unservedProducts(configs[product]!).map(({ migrations }) => migrations),
  );

test('Each product migrates a database that the other has migrated before, and only its own part of it', async () => {
  const first = await migrateAs('chat');
  expect(await pendingMigrations(db, foldersOf('chat'))).toEqual([]);
  const pending = await pendingMigrations(db, foldersOf('telephony'));
  expect(await migrateAs('telephony')).toEqual(pending);
  expect(first.filter((name) => pending.includes(name))).toEqual([]);
  expect(await migrateAs('chat')).toEqual([]);
});

test('The newest batch of migrations is rolled back only by a process that serves its product', async () => {
  await expect(migrateDown(db, foldersOf('chat'))).rejects.toThrow(
    'the newest batch has migrations of a product that is not served here',
  );
  expect(await migrateDown(db, foldersOf('telephony'))).not.toEqual([]);
  expect(await pendingMigrations(db, foldersOf('chat'))).toEqual([]);
  expect(await migrateAs('telephony')).not.toEqual([]);
});
