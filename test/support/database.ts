/** A database of its own for each test file, brought up to date, and dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { loadConfig, type Config } from '../../config';
import { migrate } from '../../src/kernel/mysql/migrate';
import { openMysql } from '../../src/kernel/mysql/pool';
import { migrationFolders, productsOf } from '../../src/products';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export function testEnvironment(name: 'TEST_REDIS_URL' | 'TEST_DATABASE_URL'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is unset: run tests with "npm test", which starts the services`);
  return value;
}

export async function openTestDatabase(options: { migrated: boolean } = { migrated: true }): Promise<TestDatabase> {
  const server = testEnvironment('TEST_DATABASE_URL');
  const name = `partyline_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const run = async (sql: string) => {
    const admin = openMysql({ ...loadConfig({}), databaseUrl: server });
    await admin.raw(sql, [name]);
    await admin.destroy();
  };
  await run('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci');
  const database = { url: url.href, drop: () => run('DROP DATABASE ??') };
  if (options.migrated) {
    const config: Config = loadConfig({ DATABASE_URL: url.href });
    const db = openMysql(config);
    await migrate(db, migrationFolders(productsOf(config)));
    await db.destroy();
  }
  return database;
}
