/** The MySQL pool: READ COMMITTED, UTC, and a deadline of our own on every statement. */
import { knex, type Knex } from 'knex';
import type { Log } from '../log';
import { ourDialect } from './dialect';
import { hideValues } from './hide-values';
import { formatStatement } from './literal';

export type Database = Knex;

export interface MysqlSettings {
  readonly databaseUrl: string;
  readonly mysqlConnections: number;
  readonly mysqlDeadlineMs: number;
  readonly mysqlAcquireMs: number;
}

/** Without a log, what knex has to say about lost connections is not said: every caller learns of its own. */
export function openMysql(settings: MysqlSettings, log?: Log): Database {
  const db = knex({
    log: knexLog(log),
    client: ourDialect(settings.mysqlDeadlineMs) as unknown as typeof Knex.Client,
    connection: connectionOf(settings),
    acquireConnectionTimeout: settings.mysqlAcquireMs,
    pool: {
      min: 0,
      max: settings.mysqlConnections,
      // One statement per new connection, not one per transaction.
      afterCreate: (connection: RawConnection, done: (error: Error | null, connection: RawConnection) => void) =>
        connection.query(sessionOf(settings), (error) => done(error, connection)),
    },
  });
  // Before whoever waits for the statement gets the error.
  db.on('query-error', hideValues);
  return db;
}

/** Knex writes to the console unless it is given something else. */
function knexLog(log?: Log): Knex.Logger {
  const say = (message: unknown) => log?.debug({ knex: String(message) }, 'mysql');
  return { warn: say, error: say, debug: say, deprecate: say };
}

interface RawConnection {
  query(sql: string, done: (error: Error | null) => void): void;
}

function connectionOf(settings: MysqlSettings): Knex.MySql2ConnectionConfig {
  const url = new URL(settings.databaseUrl);
  return {
    host: url.hostname,
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    timezone: 'Z',
    connectTimeout: settings.mysqlAcquireMs,
    // A commit packet is several statements: see transaction.ts. Values enter SQL as bindings, or by literal.ts.
    multipleStatements: true,
    queryFormat: formatStatement,
  } as Knex.MySql2ConnectionConfig;
}

/** MySQL would cut a list of ids at a kilobyte, and say nothing. */
const MOST_CONCATENATED = 16 * 1024 * 1024;

function sessionOf(settings: MysqlSettings): string {
  // A lock is given up before our own deadline, so that the reason is known.
  const lockWait = Math.max(1, Math.floor(settings.mysqlDeadlineMs / 1000) - 1);
  return (
    "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = " +
    `${lockWait}, group_concat_max_len = ${MOST_CONCATENATED}, sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'; ` +
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'
  );
}
