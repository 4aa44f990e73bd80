/** The environment of every benchmark: a fresh database, a Redis namespace, and both servers as watched processes. */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import type { Watched } from './benchmark';
import { startScript } from './children';
import { mariadbVersion, redisVersion, watchMariadb, watchRedis } from './watch';

export interface Pace {
  /** Duration of one measurement. */
  readonly measureMs: number;
  /** How long each side runs before a suite's first measurement, so that Node compiles its hot code. */
  readonly warmMs: number;
  /** The same for the suite's other benchmarks. */
  readonly againMs: number;
  readonly idleMs: number;
}

export interface Bench {
  readonly pace: Pace;
  /** Aborted when the run should end. */
  readonly signal: AbortSignal;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  /** The environment of every product process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly redis: Watched;
  readonly mariadb: readonly Watched[];
}

export interface Stage extends Bench {
  readonly versions: { readonly redis: string; readonly mariadb: string };
  close(): Promise<void>;
}

export interface StageOptions {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly path: string;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** The row of the bare INSERT, and of the change that our transactions make besides publishing. */
const ROWS = 'CREATE TABLE bench_rows (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, body TEXT NOT NULL)';

export async function openStage(options: StageOptions): Promise<Stage> {
  const name = `bench_${randomBytes(5).toString('hex')}`;
  const redis = new Redis(options.redisUrl);
  const server = await createConnection(options.databaseUrl);
  await server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
  const url = new URL(options.databaseUrl);
  url.pathname = `/${name}`;
  const environment = {
    PATH: options.path,
    // Production refuses demo data and its published keys. Nothing measured depends on it.
    NODE_ENV: 'development',
    SECRET_KEY: randomBytes(32).toString('hex'),
    REDIS_URL: options.redisUrl,
    DATABASE_URL: url.href,
    NAMESPACE: name,
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    TENANT_RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    DRAIN_NOTICE_MS: '0',
    DRAIN_DEADLINE_MS: '2000',
  };
  const restoreRewriting = await stopRewriting(redis);

  async function close(): Promise<void> {
    await server.query(`DROP DATABASE ${name}`);
    await server.end();
    for await (const keys of redis.scanStream({ match: `*${name}*`, count: 1000 })) {
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    }
    await restoreRewriting();
    redis.disconnect();
  }

  try {
    await fill(server, name, environment);
    return {
      ...options,
      databaseUrl: url.href,
      environment,
      redis: await watchRedis(redis),
      mariadb: await watchMariadb(server),
      versions: { redis: await redisVersion(redis), mariadb: await mariadbVersion(server) },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(server: Connection, name: string, environment: Readonly<Record<string, string>>): Promise<void> {
  for (const command of ['migrate', 'seed']) {
    const how = await startScript('cli/main.js', environment, [command]).exit;
    if (!how.endsWith('(0)')) throw new Error(`the database could not be filled: ${how}`);
  }
  await server.query(`USE ${name}`);
  await server.query(ROWS);
}

/** An AOF rewrite during a measurement would cost Redis CPU time that is not the benchmark's. */
async function stopRewriting(redis: Redis): Promise<() => Promise<void>> {
  const setting = 'auto-aof-rewrite-percentage';
  const [, before = '100'] = (await redis.config('GET', setting)) as string[];
  await redis.config('SET', setting, '0');
  return async () => void (await redis.config('SET', setting, before));
}
