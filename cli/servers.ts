/** Connects to Redis and MySQL for inspection, with short deadlines, and reports problems in one line. */
import { types } from 'node:util';
import type { Config } from '../config';
import { closeMysql, openMysql, type Database, type MysqlSettings } from '../src/kernel/mysql/pool';
import { placeOf } from '../src/kernel/redis/address';
import { openBriefRedis, type BriefRedis } from '../src/kernel/redis/brief';

/** A server that does not answer within this time is given up. */
const DEADLINE_MS = 10_000;

export const redisAddress = ({ redisUrl }: Config): string => placeOf(redisUrl);

export function mysqlAddress({ databaseUrl }: Config): string {
  const url = new URL(databaseUrl);
  return `${url.hostname}:${url.port || 3306}`;
}

/** Runs the work with a Redis connection, or throws at once why there is none. */
export async function lookAtRedis<T>(config: Config, work: (redis: BriefRedis) => Promise<T>): Promise<T> {
  const redis = await openBriefRedis(config, DEADLINE_MS);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

export function lookAtMysql<T>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: (mysql: Database) => Promise<T>,
): Promise<T> {
  const settings = { databaseUrl, mysqlConnections: 1, mysqlDeadlineMs: DEADLINE_MS, mysqlAcquireMs: DEADLINE_MS };
  return withDatabase(settings, async (mysql) => {
    await mysql.raw('SELECT 1');
    return work(mysql);
  });
}

async function withDatabase<T>(settings: MysqlSettings, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openMysql(settings);
  try {
    return await work(db);
  } finally {
    await closeMysql(db);
  }
}

/** Runs work on MySQL that takes longer than requests may, or throws at once why MySQL cannot be used. */
export async function workOnMysql<T>(
  config: Config,
  mysqlDeadlineMs: number,
  work: (db: Database, settings: MysqlSettings) => Promise<T>,
): Promise<T> {
  await reach(config, ['MySQL']);
  const settings = { ...config, mysqlDeadlineMs };
  return withDatabase(settings, (db) => work(db, settings));
}

/** A change to a large table takes as long as it takes. */
export const CHANGE_DEADLINE_MS = 3_600_000;

export type ServerName = 'Redis' | 'MySQL';

/** Throws one line with advice, unless all of these servers answer. */
export async function reach(config: Config, names: readonly ServerName[]): Promise<void> {
  const problems = await Promise.all(names.map((name) => problemOf(config, name)));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new Error(`${found.join('; ')}. ${ADVICE}`);
}

export const ADVICE = 'Start the server ("npm start"), or set REDIS_URL and DATABASE_URL to the ones you use.';

async function problemOf(config: Config, name: ServerName): Promise<string | undefined> {
  try {
    if (name === 'Redis') await lookAtRedis(config, () => Promise.resolve());
    else await lookAtMysql(config, () => Promise.resolve());
    return undefined;
  } catch (error) {
    return unusable(config, name, error);
  }
}

export function unusable(config: Config, name: ServerName, error: unknown): string {
  const address = name === 'Redis' ? redisAddress(config) : mysqlAddress(config);
  return `${name} at ${address} cannot be used: ${reasonOf(error)}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no way to that address',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'no answer',
  KnexTimeoutError: 'no answer',
};

/** A refused connection to a name with several addresses has no message of its own. */
export function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return reasonOf(error.errors[0]);
  const code = 'code' in error ? String(error.code) : error.name;
  return (REASONS[code] ?? (error.message || code)).replaceAll(/\s*\n\s*/g, ' ').replace(/\.$/, '');
}
