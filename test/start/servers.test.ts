/** The private servers: they start, keep their data as promised, and accept only clients with the password. */

import { createConnection } from 'mysql2/promise';
import { Redis } from 'ioredis';
import { mkdtempSync, statSync } from 'node:fs';
import path from 'node:path';
import { startMariadb } from '../../scripts/lib/servers/mariadb';
import { onFreePorts } from '../../scripts/lib/ports';
import { startRedis, wipeRedis } from '../../scripts/lib/servers/redis';
import { programFor } from '../../scripts/lib/test/test-programs';
import { mariadbTemplate } from '../../scripts/lib/servers/throwaway-servers';

const directory = () => mkdtempSync(path.join(process.env['TEST_RUN_DIR'] ?? '', 'services-'));

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

test('Redis with a file keeps its data over a stop, and forgets them when wiped', async () => {
  const dir = directory();
  const first = await startRedis({ dir });
  await withRedis(first.url, (redis) => redis.set('kept', 'yes'));
  await first.stop();
  const second = await startRedis({ dir, port: first.port, password: first.password });
  expect(second.url).toBe(first.url);
  expect(await withRedis(second.url, (redis) => redis.get('kept'))).toBe('yes');
  await second.kill();
  wipeRedis(dir);
  const third = await startRedis({ dir });
  expect(await withRedis(third.url, (redis) => redis.dbsize())).toBe(0);
  await third.stop();
});

test('Redis requires the password, which is not visible on the command line', async () => {
  const dir = directory();
  const server = await startRedis({ dir });
  await expect(withRedis(`redis://127.0.0.1:${server.port}`, (redis) => redis.get('x'))).rejects.toThrow('NOAUTH');
  expect(server.process.spawnargs.join(' ')).not.toContain(server.password);
  expect(statSync(path.join(dir, 'redis.conf')).mode & 0o077).toBe(0);
  await server.stop();
});

test('A server whose port is taken is restarted on another port, unless the port was given', async () => {
  const first = await startRedis({ dir: directory() });
  await expect(startRedis({ dir: directory(), port: first.port })).rejects.toThrow(/already in use/);
  const tried: number[] = [];
  const second = await onFreePorts(async (next) => {
    const free = await next();
    tried.push(tried.length === 0 ? first.port : free);
    return startRedis({ dir: directory(), port: tried.at(-1)! });
  });
  expect(tried).toEqual([first.port, second.port]);
  await Promise.all([first.kill(), second.kill()]);
});

test('A server that fails for another reason is not started again', async () => {
  let tries = 0;
  const start = onFreePorts(async (next) => {
    tries += 1;
    return startRedis({ dir: directory(), port: await next(), extra: ['no-such-option yes'] });
  });
  await expect(start).rejects.toThrow(/redis did not come up/);
  expect(tries).toBe(1);
});

test('MariaDB is durable over kill -9, and reads committed', async () => {
  const dir = directory();
  const first = await startMariadb({ dir });
  const connection = await createConnection(first.url);
  await connection.query('CREATE TABLE t (a INT) ENGINE=InnoDB');
  await connection.query('INSERT INTO t VALUES (7)');
  await first.kill();
  connection.destroy();
  const second = await startMariadb({ dir, port: first.port });
  const again = await createConnection(second.url);
  const [rows] = await again.query('SELECT a, @@tx_isolation AS i, @@collation_database AS c FROM t');
  expect(rows).toEqual([{ a: 7, i: 'READ-COMMITTED', c: 'utf8mb4_unicode_520_ci' }]);
  await again.end();
  await second.stop();
});

test('MariaDB has one account, whose rights are limited to its own database', async () => {
  const server = await startMariadb({ dir: directory(), template: await mariadbTemplate(programFor('mariadb')) });
  const connection = await createConnection(server.url);
  await expect(connection.query('CREATE DATABASE another')).rejects.toThrow('Access denied');
  await expect(connection.query('SELECT * FROM mysql.global_priv')).rejects.toThrow('denied');
  await connection.end();
  for (const user of ['root', 'partyline', '']) {
    await expect(createConnection({ host: '127.0.0.1', port: server.port, user })).rejects.toThrow('Access denied');
  }
  await server.stop();
});

test('The servers of the run let tests create databases', async () => {
  const connection = await createConnection(process.env['TEST_DATABASE_URL'] ?? '');
  await connection.query('CREATE DATABASE partyline_test_services');
  await connection.query('DROP DATABASE partyline_test_services');
  await connection.end();
  expect(await withRedis(process.env['TEST_REDIS_URL'] ?? '', (redis) => redis.ping())).toBe('PONG');
});
