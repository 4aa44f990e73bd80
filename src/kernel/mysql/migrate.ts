/** Runs the migrations of the kernel and of the products, one process at a time, in the order of their times. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Knex } from 'knex';
import type { Database } from './pool';

export const kernelMigrations = join(__dirname, 'migrations');

const TABLE = 'kernel_migrations';
const LOCK = 'partyline-migrate-';
/** Locks are the server's: the databases on it must not wait for each other. */
const LOCK_NAME = 'CONCAT(?, MD5(DATABASE()))';
const LOCK_WAIT_SECONDS = 60;

interface Migration {
  readonly name: string;
  readonly path: string;
}

/** By name, which begins with the time: compiled or not, a migration is the same one. */
function listMigrations(folders: readonly string[]): Migration[] {
  return folders
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((path) => /\d{14}_\w+\.(js|ts)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ name: basename(path).replace(/\.(js|ts)$/, ''), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads our sources by path, as knex wants a list of migrations from somewhere. */
function sourceOf(folders: readonly string[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: () => Promise.resolve(listMigrations(folders)),
    getMigrationName: (migration) => migration.name,
    getMigration: (migration) => Promise.resolve(require(migration.path) as Knex.Migration),
  };
}

const configOf = (folders: readonly string[]): Knex.MigratorConfig => ({
  migrationSource: sourceOf(folders),
  tableName: TABLE,
  // MySQL commits each DDL statement by itself; a transaction around them would be a promise it does not keep.
  disableTransactions: true,
});

/** GET_LOCK ends with its connection, so a killed migration never leaves a lock behind as knex's own table does. */
async function withMigrationLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const trx = await db.transaction();
  try {
    const lock = [LOCK, LOCK_WAIT_SECONDS];
    const [[row]] = (await trx.raw(`SELECT GET_LOCK(${LOCK_NAME}, ?) AS locked`, lock)) as [[{ locked: number }]];
    if (row.locked !== 1) throw new Error('another process has been migrating for a minute');
    await clearStaleLock(db);
    return await work();
  } finally {
    await trx.raw(`SELECT RELEASE_LOCK(${LOCK_NAME})`, [LOCK]).catch(() => {});
    await trx.rollback().catch(() => {});
  }
}

/** While we hold ours, nobody else migrates: a mark in knex's table is left from one that was killed. */
async function clearStaleLock(db: Database): Promise<void> {
  if (await db.schema.hasTable(`${TABLE}_lock`)) await db(`${TABLE}_lock`).update({ is_locked: 0 });
}

export async function migrate(db: Database, folders: readonly string[]): Promise<string[]> {
  return withMigrationLock(db, async () => {
    const [, names] = (await db.migrate.latest(configOf(folders))) as [number, string[]];
    return names;
  });
}

/** Takes back the newest batch. */
export async function migrateDown(db: Database, folders: readonly string[]): Promise<string[]> {
  return withMigrationLock(db, async () => {
    const [, names] = (await db.migrate.rollback(configOf(folders))) as [number, string[]];
    return names;
  });
}

export async function pendingMigrations(db: Database, folders: readonly string[]): Promise<string[]> {
  if (!(await db.schema.hasTable(TABLE))) return listMigrations(folders).map(({ name }) => name);
  const done = new Set((await db(TABLE).pluck('name')) as string[]);
  return listMigrations(folders)
    .map(({ name }) => name)
    .filter((name) => !done.has(name));
}
