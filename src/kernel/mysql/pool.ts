/** Knex on a pool of our connections: READ COMMITTED, UTC, and a deadline on every statement. */
import { knex, type Knex } from 'knex';
import type { Log } from '../log';
import type { KernelSettings } from '../settings';
import { openConnection, type ConnectionSettings, type MysqlConnection } from './connection';
import { hideValues } from './hide-values';
import { formatStatement } from './literal';
import { tlsOf } from './tls';

export type Database = Knex;

export type MysqlSettings = Pick<
  KernelSettings,
  'databaseUrl' | 'mysqlConnections' | 'mysqlDeadlineMs' | 'mysqlAcquireMs'
>;

type Pool = InstanceType<typeof knex.KnexPool<MysqlConnection>>;

/** Without a log, Knex's warnings about lost connections are dropped: every caller gets its own error. */
export function openMysql(settings: MysqlSettings, log?: Log): Database {
  const pool = openPool(settings);
  const db = knex({
    client: 'mysql2',
    connectionPool: pool,
    userParams: { pool },
    log: knexLog(log),
    // Values belong to users and must not be in the text of an error.
    compileSqlOnError: false,
  } as Knex.Config);
  // Runs before the caller of the statement gets the error.
  db.on('query-error', hideValues);
  return db;
}

/** Knex does not close a pool that was passed to it. */
export async function closeMysql(db: Database): Promise<void> {
  await (db.userParams['pool'] as Pool).destroy();
  await db.destroy();
}

function openPool(settings: MysqlSettings): Pool {
  /**
   * Half the deadline after the last unanswered statement was sent. Connections silent since before then are suspect:
   * if the server's machine is gone, nothing tells us, and each of them would cost another deadline.
   */
  let suspectBefore = -Infinity;
  const onLate = (sentAt: number) => {
    suspectBefore = sentAt + settings.mysqlDeadlineMs / 2;
  };
  const { session, ...rest } = connectionSettings(settings, onLate);
  const connection = { ...rest, session: `${session}; ${endWhenIdle(settings.mysqlDeadlineMs)}` };
  return new knex.KnexPool<MysqlConnection>({
    create: () => openConnection(connection),
    validate(each) {
      if (each.answeredAt < suspectBefore) each.cut();
      return each.isOpen;
    },
    destroy: (each) => each.close(),
    min: 0,
    max: settings.mysqlConnections,
    acquireTimeoutMillis: settings.mysqlAcquireMs,
    propagateCreateError: true,
  });
}

export const connectionSettings = (
  settings: MysqlSettings,
  onLate: ConnectionSettings['onLate'],
): ConnectionSettings => ({
  driver: driverOptions(settings),
  session: sessionOf(settings),
  deadlineMs: settings.mysqlDeadlineMs,
  onLate,
});

/** Knex writes to the console unless it gets a logger. */
function knexLog(log?: Log): Knex.Logger {
  const say = (message: unknown) => log?.debug({ knex: String(message) }, 'mysql');
  return { warn: say, error: say, debug: say, deprecate: say };
}

function driverOptions(settings: MysqlSettings): ConnectionSettings['driver'] {
  const url = new URL(settings.databaseUrl);
  const ssl = tlsOf(url);
  return {
    host: url.hostname,
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(ssl && { ssl }),
    timezone: 'Z',
    connectTimeout: settings.mysqlAcquireMs,
    // A commit packet is several statements: see transaction.ts. Values enter SQL as bindings, or by literal.ts.
    multipleStatements: true,
    queryFormat: formatStatement,
  };
}

/** MySQL's default would silently cut a list of ids at a kilobyte. */
const MAX_CONCATENATED = 16 * 1024 * 1024;

/** A row is locked for milliseconds. Who finds it locked for longer gives its connection back, and tries again. */
const MAX_LOCK_WAIT_SECONDS = 2;
/** Longer than the pool keeps an idle connection. */
const IDLE_SECONDS = 60;

/**
 * The server ends what a frozen process has left open, and with it the locks: a transaction after twice the deadline of
 * a statement, which only MariaDB can do, or else the connection. Other servers skip the comment.
 */
const endWhenIdle = (deadlineMs: number): string =>
  `SET SESSION wait_timeout = ${IDLE_SECONDS} ` +
  `/*M!100301 , idle_transaction_timeout = ${Math.ceil((2 * deadlineMs) / 1000)} */`;

/** For a connection that must stay open while other connections work. */
export const STAY_WHEN_IDLE = 'SET SESSION wait_timeout = 28800 /*M!100301 , idle_transaction_timeout = 0 */';

function sessionOf(settings: MysqlSettings): string {
  // Waiting for a lock ends before our own deadline, so that the reason is known.
  const lockWait = Math.min(MAX_LOCK_WAIT_SECONDS, Math.max(1, Math.floor(settings.mysqlDeadlineMs / 1000) - 1));
  return (
    "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = " +
    `${lockWait}, group_concat_max_len = ${MAX_CONCATENATED}, sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'; ` +
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'
  );
}
