/** Reads properties of the database server and of our tables. */
import type { Knex } from 'knex';

export type ServerVariables = Readonly<Record<string, string>>;

/** Variables of this session. SHOW works in MySQL and MariaDB; SELECT @@name would fail where a name differs. */
export async function variables(db: Knex): Promise<ServerVariables> {
  const [rows] = (await db.raw('SHOW SESSION VARIABLES')) as [{ Variable_name: string; Value: string }[]];
  return Object.fromEntries(rows.map(({ Variable_name: name, Value: value }) => [name, value]));
}

export async function nowMs(db: Knex): Promise<number> {
  const [[row]] = (await db.raw('SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now')) as [[{ now: string }]];
  return Number(row.now);
}

export interface OurTable {
  readonly name: string;
  readonly engine: string;
  readonly collation: string;
}

/** Only our tables, because others may share the database. */
export async function tables(db: Knex): Promise<OurTable[]> {
  return (await db('information_schema.tables')
    .whereRaw('table_schema = DATABASE()')
    .whereRaw("table_type = 'BASE TABLE'")
    .whereRaw("table_name REGEXP '^(kernel|chat|tel|ops)_'")
    .select({ name: 'table_name', engine: 'engine', collation: 'table_collation' })) as OurTable[];
}

export interface OurSession {
  /** Empty if the connection is not encrypted. */
  readonly cipher: string;
  /** Our address as the server sees it. */
  readonly host: string;
}

export async function session(db: Knex): Promise<OurSession> {
  const [[[status], [user]]] = (await db.raw(
    "SHOW SESSION STATUS LIKE 'Ssl_cipher'; SELECT SUBSTRING_INDEX(USER(), '@', -1) AS host",
  )) as [[[{ Value: string }?], [{ host: string }]]];
  return { cipher: status?.Value ?? '', host: user.host };
}

/** Counts all clients of the server, not only ours. */
export async function connections(db: Knex): Promise<number> {
  const [[row]] = (await db.raw("SHOW GLOBAL STATUS LIKE 'Threads_connected'")) as [[{ Value: string }?]];
  return Number(row?.Value ?? 0);
}

/** The total number of events of all tenants. */
export async function events(db: Knex): Promise<number> {
  const [row] = (await db('kernel_counters').sum({ events: 'event_number' })) as [{ events: string | null }];
  return Number(row.events ?? 0);
}

export interface Backlog {
  readonly rows: number;
  /** Age of the oldest by the database's clock; null if there is none. */
  readonly oldestMs: number | null;
}

/** Rows of the outbox that are not published yet. */
export async function pending(db: Knex): Promise<Backlog> {
  const [row] = (await db('kernel_outbox')
    .whereIn('is_replayable', [false, true])
    .whereNull('published_at')
    .select(db.raw('COUNT(*) AS pending, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age'))) as [
    { pending: number; age: number | null },
  ];
  return { rows: row.pending, oldestMs: row.age === null ? null : Math.round(row.age / 1000) };
}
