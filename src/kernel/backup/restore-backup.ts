/** Restores a backup into a database: all tables, with numbers that skip ahead. Nothing else may use the database. */
import type { Tenant } from '../actor/address';
import { sleep } from '../deadline';
import { withAlone, type AloneConnection } from '../mysql/alone';
import { migrateTo, migrationNames, namesDone, withMigrationLock } from '../mysql/migrate';
import type { Database, MysqlSettings } from '../mysql/pool';
import type { Secrets } from '../secrets/secrets';
import { MIGRATIONS_TABLE, readManifest, type Manifest, verifyBackup, linesOf, valuesOf } from './files';
import { numbersSince, skipNumbers } from './skip-numbers';
import { listed, listTables, quoted } from './table-shape';
import { fingerprintOf } from './write-backup';

export interface RestoreParts {
  readonly settings: MysqlSettings;
  readonly db: Database;
  readonly secrets: Secrets;
  /** The folders of all products in this release. */
  readonly migrationFolders: readonly string[];
  /** All tenants now in the database, with or without a counter, given the finished migrations. */
  readonly tenantsIn: (migrations: readonly string[]) => Promise<readonly Tenant[]>;
  readonly onTable: (table: string, rows: number) => void;
}

export interface RestoreOptions {
  /** Deletes existing data. */
  readonly replace: boolean;
  /** How many numbers to skip; undefined to derive it from the age of the backup. */
  readonly skip: number | undefined;
}

/** The database is neither as it was nor as in the backup. */
export class RestoreBroken extends Error {
  constructor(cause: unknown) {
    super('The restore broke off, and the database is not whole. Run it again with --replace', { cause });
    this.name = 'RestoreBroken';
  }
}

/** Rows come in any order and keep their numbers. The connection idles while the backup is verified. */
export const LOADING =
  "SET SESSION foreign_key_checks = 0, sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO'), wait_timeout = 86400";

export async function restoreBackup(
  parts: RestoreParts,
  directory: string,
  options: RestoreOptions,
): Promise<Manifest> {
  const manifest = await readManifest(directory);
  checkManifest(parts, manifest);
  await withAlone(parts.settings, LOADING, async (connection) => {
    await ensureAlone(connection);
    if (!options.replace) await ensureEmpty(connection);
    await verifyBackup(directory, manifest);
    await withMigrationLock(parts.db, () => replaceTables({ parts, directory, options, manifest, connection }));
  });
  return manifest;
}

function checkManifest({ secrets, migrationFolders }: RestoreParts, manifest: Manifest): void {
  if (fingerprintOf(secrets, manifest.takenAt) !== manifest.secretKeyFingerprint) {
    throw new Error('SECRET_KEY is not the one of the backup: none of its keys and credentials could be read');
  }
  const known = migrationNames(migrationFolders);
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`the backup is of a newer release (${manifest.version}): this one has no ${unknown.join(', ')}`);
  }
}

/** A command that just ended may still be disconnecting. */
const OTHERS_LEAVE_MS = 3000;
const LOOK_AGAIN_MS = 200;

/** Only connections of the same account are certain to be visible. */
async function ensureAlone(connection: AloneConnection): Promise<void> {
  const sql =
    'SELECT COUNT(*) AS others FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()';
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const [{ others }] = (await connection.query(sql)) as [{ others: number }];
    if (others === 0) return;
    if (waited >= OTHERS_LEAVE_MS)
      throw new Error(`${others} other connections use this database: stop nodes, workers and commands first`);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function ensureEmpty(connection: AloneConnection): Promise<void> {
  for (const { name } of await listTables(connection)) {
    // Also the lock table beside it.
    if (name.startsWith(MIGRATIONS_TABLE)) continue;
    const found = (await connection.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)) as unknown[];
    if (found.length > 0)
      throw new Error(`the database is not empty (${name} has rows): --replace deletes everything in it`);
  }
}

interface Restoring {
  readonly parts: RestoreParts;
  readonly directory: string;
  readonly options: RestoreOptions;
  readonly manifest: Manifest;
  readonly connection: AloneConnection;
}

async function replaceTables(restoring: Restoring): Promise<void> {
  const { parts, options, manifest, connection } = restoring;
  try {
    await buildTables(restoring);
    // It is restored last: without it no node becomes ready.
    await connection.query(`DELETE FROM ${MIGRATIONS_TABLE}`);
    const tables = Object.entries(manifest.tables).filter(([name]) => name !== MIGRATIONS_TABLE);
    for (const [name, table] of tables) {
      await loadTable(restoring, name);
      parts.onTable(name, table.rows);
    }
    const by = options.skip ?? numbersSince(manifest.takenAt, new Date());
    const nextIds = Object.fromEntries(tables.map(([name, { nextId }]) => [name, nextId]));
    if (by > 0) await skipNumbers(connection, { by, tenants: await parts.tenantsIn(manifest.migrations), nextIds });
    await loadTable(restoring, MIGRATIONS_TABLE);
  } catch (error) {
    throw new RestoreBroken(error);
  }
}

/** Builds the tables as of the backup's migrations; a later `partyline migrate` brings them up to date. */
async function buildTables({ parts, manifest, connection }: Restoring): Promise<void> {
  const names = (await listTables(connection)).map(({ name }) => name);
  const done = await namesDone(parts.db);
  const isSame = done.length === manifest.migrations.length && done.every((name) => manifest.migrations.includes(name));
  if (isSame) {
    for (const name of names) await connection.query(`TRUNCATE TABLE ${quoted(name)}`);
    return;
  }
  if (names.length > 0) await connection.query(`DROP TABLE ${listed(names)}`);
  await migrateTo(parts.db, parts.migrationFolders, manifest.migrations);
}

/** Far below servers' packet limits, but large enough that round trips do not matter. */
const MAX_CHARACTERS = 512 * 1024;

/** Loads the rows of a backup into one table. */
async function loadTable({ directory, manifest, connection }: Restoring, name: string): Promise<void> {
  const { columns, rows } = manifest.tables[name]!;
  // Rows that a migration inserted are in the backup too, as they were then.
  await connection.query(`DELETE FROM ${quoted(name)}`);
  const insert = `INSERT INTO ${quoted(name)} (${listed(columns.map((column) => column.name))}) VALUES `;
  let [values, size, written] = [[] as string[], 0, 0];

  async function flush(): Promise<void> {
    if (values.length === 0) return;
    const { affectedRows } = (await connection.query(insert + values.join(','))) as { affectedRows: number };
    written += affectedRows;
    [values, size] = [[], 0];
  }

  for await (const line of linesOf(directory, name)) {
    const row = valuesOf(line, columns);
    if (size + row.length > MAX_CHARACTERS) await flush();
    values.push(row);
    size += row.length;
  }
  await flush();
  if (written !== rows) throw new Error(`${name} has ${written} rows in place of ${rows}`);
}
