/** Runs the migrations of the kernel and the products, one process at a time, ordered by timestamp. */
import type { Knex } from 'knex';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STAY_WHEN_IDLE, type Database } from './pool';
import { beginTransaction } from './transaction';

export const kernelMigrations = join(__dirname, 'migrations');

const TABLE = 'kernel_migrations';
const LOCK = 'partyline-migrate-';
const LOCK_WAIT_SECONDS = 60;
/** Migrations since 1.0.0 have later timestamps. */
const SINCE_1_0 = '20261119';

interface Migration {
  readonly name: string;
  readonly path: string;
}

/** Ordered by name, which starts with a timestamp. A migration has the same name compiled or not. */
function listMigrations(folders: readonly string[]): Migration[] {
  return folders
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((path) => /\d{14}_\w+\.(js|ts|sql)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ name: basename(path).replace(/\.\w+$/, ''), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Loads migrations by path, in the form that knex requires. */
function sourceOf(migrations: Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: () => Promise.resolve(migrations),
    getMigrationName: (migration) => migration.name,
    getMigration: ({ path }) =>
      Promise.resolve(path.endsWith('.sql') ? tablesIn(path) : (require(path) as Knex.Migration)),
  };
}

const configOf = (migrations: Migration[]): Knex.MigratorConfig => ({
  migrationSource: sourceOf(migrations),
  tableName: TABLE,
  // MySQL commits each DDL statement by itself, so a transaction around them would guarantee nothing.
  disableTransactions: true,
});

/**
 * Excludes migrations while the work runs. GET_LOCK ends with its connection, so a killed process leaves no lock
 * behind, unlike knex's own lock table.
 */
export async function withMigrationLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const trx = await beginTransaction(db);
  try {
    await trx.raw(STAY_WHEN_IDLE);
    const [[row]] = (await trx.raw('SELECT GET_LOCK(?, ?) AS locked', [await lockName(trx), LOCK_WAIT_SECONDS])) as [
      [{ locked: number }],
    ];
    if (row.locked !== 1) throw new Error('another process has been migrating or backing up for a minute');
    return await work();
  } finally {
    await trx.raw('SELECT RELEASE_ALL_LOCKS()').catch(() => {});
    await trx.rollback().catch(() => {});
  }
}

/** Locks belong to the server, and databases on it must not wait for each other. */
async function lockName(db: Knex): Promise<string> {
  const [[{ name }]] = (await db.raw('SELECT DATABASE() AS name')) as [[{ name: string }]];
  return LOCK + createHash('md5').update(name).digest('hex');
}

/** While we hold our lock nobody else migrates, so a lock in knex's table was left by a killed process. */
async function clearStaleLock(db: Database): Promise<void> {
  if (await db.schema.hasTable(`${TABLE}_lock`)) await db(`${TABLE}_lock`).update({ is_locked: 0 });
}

/**
 * Runs pending migrations in `folders`. A database with a migration that is in none of the folders is refused. `others`
 * are the folders of products that this process does not serve, but that another process may have migrated here.
 */
export async function migrate(
  db: Database,
  folders: readonly string[],
  others: readonly string[] = [],
): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await clearStaleLock(db);
    const done = await namesDone(db);
    const foreign = listMigrations(others).filter(({ name }) => done.includes(name));
    const known = [...listMigrations(folders), ...foreign];
    refuseUnknown(done.filter((each) => !known.some(({ name }) => name === each)));
    const [, names] = (await db.migrate.latest(configOf(known))) as [number, string[]];
    return names;
  });
}

function refuseUnknown([first]: readonly string[]): void {
  if (first === undefined) return;
  const state = first < SINCE_1_0 ? 'a state before 1.0.0, which cannot be upgraded' : 'a later version';
  throw new Error(`the database is of ${state} (migration ${first}): see docs/UPGRADING.md`);
}

/** The names of all migrations in the folders. */
export const migrationNames = (folders: readonly string[]): string[] => listMigrations(folders).map(({ name }) => name);

/** Builds the tables of an older schema in an empty database. The caller holds the lock. */
export async function migrateTo(db: Database, folders: readonly string[], names: readonly string[]): Promise<void> {
  await db.migrate.latest(configOf(listMigrations(folders).filter(({ name }) => names.includes(name))));
}

/** Rolls back the newest batch, if all of it is in `folders`. */
export async function migrateDown(db: Database, folders: readonly string[]): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await clearStaleLock(db);
    const own = listMigrations(folders);
    if ((await namesDone(db)).length === 0) return [];
    const foreign = (await namesInNewestBatch(db)).filter((each) => !own.some(({ name }) => name === each));
    if (foreign.length > 0) {
      throw new Error(`the newest batch has migrations of a product that is not served here: ${foreign.join(', ')}`);
    }
    const [, names] = (await db.migrate.rollback({
      ...configOf(own),
      // Older batches may contain migrations of products that are not served here.
      disableMigrationsListValidation: true,
    })) as [number, string[]];
    return names;
  });
}

export async function pendingMigrations(db: Database, folders: readonly string[]): Promise<string[]> {
  const done = new Set(await namesDone(db));
  return migrationNames(folders).filter((name) => !done.has(name));
}

export async function namesDone(db: Database): Promise<string[]> {
  return (await db.schema.hasTable(TABLE)) ? ((await db(TABLE).pluck('name')) as string[]) : [];
}

const namesInNewestBatch = (db: Database): Promise<string[]> =>
  db(TABLE).where('batch', db(TABLE).max('batch')).pluck('name');

/** A migration that is an SQL file of CREATE TABLE statements. Taking it back drops the tables. */
function tablesIn(path: string): Knex.Migration {
  const sql = readFileSync(path, 'utf8');
  return {
    // All have IF NOT EXISTS, so that a migration whose process was killed can run again.
    up: (db) => db.raw(sql),
    async down(db) {
      const names = [...sql.matchAll(/^CREATE TABLE IF NOT EXISTS (\w+)/gm)].map((match) => match[1]!);
      // The last one first, because tables refer to earlier ones.
      for (const name of names.toReversed()) await db.schema.dropTable(name);
    },
  };
}
