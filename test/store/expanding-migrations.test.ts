// Nodes and workers of the release before run on while a newer one migrates, so migrations may only add to what there is.
import { loadConfig } from '../../config';
import { migrate, migrateTo, migrationNames } from '../../src/kernel/mysql/migrate';
import { closeMysql, openMysql, type Database } from '../../src/kernel/mysql/pool';
import { migrationFolders, productsOf } from '../../src/products';
import { openTestDatabase, type TestDatabase } from '../support/kernel/database';
import { breakagesOf, readSchema } from '../support/kernel/schema';

/** What version 1.0.0 began with. Every later migration is checked. */
const BASE = [
  '20261115000000_create_kernel_tables',
  '20261115000100_create_chat_tables',
  '20261115000200_create_telephony_tables',
  '20261115000300_create_ops_tables',
];

/** What no release that still runs uses, and a migration may take away: the words of the refusal, and why. */
const CONTRACTS: Readonly<Record<string, string>> = {};

let database: TestDatabase;
let db: Database;
let folders: string[];

beforeAll(async () => {
  database = await openTestDatabase({ migrated: false });
  const config = loadConfig({ DATABASE_URL: database.url, MYSQL_DEADLINE_MS: '60000' });
  folders = migrationFolders(productsOf(config));
  db = openMysql(config);
});
afterAll(async () => {
  await closeMysql(db);
  await database.drop();
});

test('Every migration since 1.0.0 keeps what earlier releases read and write', async () => {
  expect(migrationNames(folders)).toEqual(expect.arrayContaining(BASE));
  await migrateTo(db, folders, BASE);
  const before = await readSchema(db);
  expect(before.size).toBeGreaterThan(50);
  await migrate(db, folders);
  const broken = breakagesOf(before, await readSchema(db)).filter((each) => !Object.hasOwn(CONTRACTS, each));
  expect(broken).toEqual([]);
});

test('Every table compares texts alike, whatever the default of the database', async () => {
  const tables = db('information_schema.tables').where('table_schema', db.raw('DATABASE()'));
  const others = await tables
    .whereNot('table_collation', 'utf8mb4_unicode_520_ci')
    .whereNot('table_name', 'like', 'kernel_migrations%')
    .pluck('table_name');
  expect(others).toEqual([]);
});

describe('The check of migrations', () => {
  beforeEach(async () => {
    await db.raw(
      'CREATE TABLE probe (id INT UNSIGNED NOT NULL PRIMARY KEY, word VARCHAR(50) NOT NULL, amount INT NULL, ' +
        'kind VARCHAR(10) NOT NULL DEFAULT "x", note VARCHAR(50) NULL, at DATETIME(3) NULL, INDEX probe_word (word))',
    );
  });
  afterEach(() => db.raw('DROP TABLE IF EXISTS probe, probed'));

  async function broken(sql: string): Promise<string[]> {
    const before = await readSchema(db);
    await db.raw(sql);
    return breakagesOf(before, await readSchema(db));
  }

  test.each([
    ['ALTER TABLE probe ADD COLUMN more INT NULL'],
    ['ALTER TABLE probe ADD COLUMN more INT NOT NULL DEFAULT 0, ADD INDEX (more)'],
    ['ALTER TABLE probe MODIFY word VARCHAR(80) NOT NULL'],
    ['ALTER TABLE probe MODIFY note MEDIUMTEXT NULL'],
    ['ALTER TABLE probe MODIFY amount BIGINT NULL'],
    ['CREATE TABLE probed (id INT PRIMARY KEY)'],
  ])('A migration may add or widen a column, index or table: %s', async (sql) => {
    expect(await broken(sql)).toEqual([]);
  });

  test.each([
    ['DROP TABLE probe', 'table probe is gone'],
    ['RENAME TABLE probe TO probed', 'table probe is gone'],
    ['ALTER TABLE probe DROP COLUMN amount', 'column probe.amount is gone'],
    ['ALTER TABLE probe CHANGE amount count INT NULL', 'column probe.amount is gone'],
    ['ALTER TABLE probe ADD COLUMN more INT NOT NULL', 'column probe.more is new and needs a value'],
    ['ALTER TABLE probe MODIFY word VARCHAR(20) NOT NULL', 'column probe.word was varchar(50) and is varchar(20)'],
    ['ALTER TABLE probe MODIFY at DATETIME NULL', 'column probe.at was datetime(3) and is datetime'],
    ['ALTER TABLE probe MODIFY amount INT NOT NULL', 'column probe.amount must not be NULL now'],
    ['ALTER TABLE probe MODIFY word VARCHAR(50) NULL', 'column probe.word may be NULL now'],
    ['ALTER TABLE probe ALTER kind DROP DEFAULT', 'column probe.kind needs a value now'],
    ['ALTER TABLE probe MODIFY word VARCHAR(50) COLLATE utf8mb4_bin NOT NULL', 'column probe.word compares otherwise'],
    ['ALTER TABLE probe DROP INDEX probe_word', 'index probe.probe_word is gone or another'],
    ['ALTER TABLE probe ADD UNIQUE INDEX probe_kind (kind)', 'index probe.probe_kind allows less'],
  ])('A migration that would break the previous release is refused: %s', async (sql, words) => {
    expect(await broken(sql)).toContain(words);
  });
});
