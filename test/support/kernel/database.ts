/** A separate database for each test file, migrated, and dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { loadConfig, type Config } from '../../../config';
import { migrate } from '../../../src/kernel/mysql/migrate';
import { closeMysql, openMysql, type Database } from '../../../src/kernel/mysql/pool';
import { migrationFolders, productsOf } from '../../../src/products';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export function testEnvironment(name: 'TEST_REDIS_URL' | 'TEST_DATABASE_URL'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is unset: run tests with "npm test", which starts the services`);
  return value;
}

/** The database that all others are copied from: migrating takes seconds, copying empty tables does not. */
const TEMPLATE = 'partyline_test_template';
const TEMPLATE_WAIT_SECONDS = 120;

export async function openTestDatabase(options: { migrated: boolean } = { migrated: true }): Promise<TestDatabase> {
  const server = testEnvironment('TEST_DATABASE_URL');
  const name = `partyline_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, async (db) => {
    await db.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci', [name]);
    if (options.migrated) await copyTemplate(db, server, name);
  });
  return {
    url: urlOf(server, name),
    drop: () => onServer(server, async (db) => void (await db.raw('DROP DATABASE ??', [name]))),
  };
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer<T>(server: string, work: (db: Database) => Promise<T>): Promise<T> {
  // One connection, so that locks and the current database stay with it.
  const patience = { mysqlConnections: 1, mysqlDeadlineMs: 150_000, mysqlAcquireMs: 150_000 };
  const db = openMysql({ ...loadConfig({}), databaseUrl: server, ...patience });
  try {
    return await work(db);
  } finally {
    await closeMysql(db);
  }
}

/** What makes the tables of a server's template, read once by each jest worker. */
const templates = new Map<string, Promise<string>>();

async function copyTemplate(db: Database, server: string, name: string): Promise<void> {
  const creating = templates.get(server) ?? readTemplate(db, server);
  templates.set(server, creating);
  creating.catch(() => templates.delete(server));
  await db.raw(['SET FOREIGN_KEY_CHECKS = 0', `USE ${name}`, await creating].join('; '));
  await db.raw('INSERT INTO ??.kernel_migrations SELECT * FROM ??.kernel_migrations', [name, TEMPLATE]);
}

async function readTemplate(db: Database, server: string): Promise<string> {
  await ensureTemplate(db, server);
  const [rows] = (await db.raw('SHOW TABLES FROM ??', [TEMPLATE])) as [Record<string, string>[]];
  const tables = rows.map((row) => Object.values(row)[0]!);
  const shown = (await db.raw(
    tables.map(() => 'SHOW CREATE TABLE ??.??').join('; '),
    tables.flatMap((table) => [TEMPLATE, table]),
  )) as [{ 'Create Table': string }[][]];
  const creates = shown[0].map(([row]) => row!['Create Table']);
  // A question mark in a definition is not a placeholder.
  return creates.join('; ').replaceAll('?', '\\?');
}

/** Created by the first process; the others wait. */
function ensureTemplate(db: Database, server: string): Promise<void> {
  // A transaction keeps its connection, and the lock with it: the pool closes a connection that is idle for half a
  // minute.
  return db.transaction(async (held) => {
    await held.raw('SELECT GET_LOCK(?, ?)', [TEMPLATE, TEMPLATE_WAIT_SECONDS]);
    try {
      const [found] = (await held.raw('SHOW DATABASES LIKE ?', [TEMPLATE])) as [unknown[]];
      if (found.length === 0) await makeTemplate(held, server);
    } finally {
      await held.raw('SELECT RELEASE_LOCK(?)', [TEMPLATE]);
    }
  });
}

async function makeTemplate(db: Database, server: string): Promise<void> {
  await db.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci', [TEMPLATE]);
  // Migrating also compiles the migrations: on a loaded machine a connection waits for that.
  const patience = { MYSQL_ACQUIRE_MS: '60000', MYSQL_DEADLINE_MS: '60000' };
  const config: Config = loadConfig({ DATABASE_URL: urlOf(server, TEMPLATE), ...patience });
  const template = openMysql(config);
  await migrate(template, migrationFolders(productsOf(config)));
  await closeMysql(template);
}
