/** The rows of a mailbox: finding due and overdue mail, and recording how it ends. */
import type { Knex } from 'knex';
import type { Tenant } from '../actor/address';
import { ago } from '../mysql/sql-parts';
import type { Clearing, Found } from '../jobs/sweeper';
import type { Statement } from '../mysql/commit-statements';
import { send, type Rows } from '../mysql/direct';
import type { Ending } from './ending';
import type { AnyMailbox, At, Mail, Mailbox, MailTable, Row } from './mailbox';

type AnyTable = MailTable<unknown>;

export const rowsOf = (db: Knex, { name, scope }: AnyTable): Knex.QueryBuilder => {
  const rows = db(name);
  return scope
    ? rows.where(Object.fromEntries(Object.entries(scope).map(([column, is]) => [`${name}.${column}`, is])))
    : rows;
};

/** Excludes addresses that are switched off, and mail of a later release, which is left to newer workers. */
function waiting(db: Knex, table: AnyTable): Knex.QueryBuilder {
  const rows = rowsOf(db, table).where('state', 'pending');
  if (table.version !== undefined) rows.where('version', '<=', table.version);
  return table.among ? rows.whereIn(table.address, table.among(db)) : rows;
}

/** The oldest waiting mail of an address, and whether it is due. */
export function nextStatement(db: Knex, { table, order }: AnyMailbox, at: string, limit: number): Statement {
  const isDue = db.raw('?? <= NOW(3) AS is_due', [table.dueAt]);
  const ageUs = db.raw('TIMESTAMPDIFF(MICROSECOND, created_at, NOW(3)) AS age_us');
  const rows = waiting(db, table).where(table.address, at).orderBy('id').limit(limit).select('*', isDue, ageUs);
  return (order === 'loose' ? rows.where(table.dueAt, '<=', db.raw('NOW(3)')) : rows).toSQL();
}

/** The mail that may be handled now: everything before the first row that is not due, so strict order holds. */
export function mailOf<Body>({ table }: Mailbox<Body>, rows: readonly Row[]): Mail<Body>[] {
  const first = rows.findIndex(({ is_due: isDue }) => isDue !== 1);
  return rows.slice(0, first < 0 ? rows.length : first).map((row) => ({
    id: Number(row['id']),
    at: String(row[table.address]),
    attempts: Number(row['attempts']),
    createdAt: row['created_at'] as Date,
    ageMs: Number(row['age_us']) / 1000,
    body: table.read(row),
  }));
}

export async function next<Body>(db: Knex, mailbox: Mailbox<Body>, at: string, limit: number): Promise<Mail<Body>[]> {
  const { sql, bindings } = nextStatement(db, mailbox, at, limit);
  return mailOf(mailbox, (await send(db, sql, bindings)) as Rows);
}

/** The milliseconds until mail is due at an address; undefined if none waits. */
export async function nextDueMs(db: Knex, { table, order }: AnyMailbox, at: string): Promise<number | undefined> {
  const waitUs = db.raw('TIMESTAMPDIFF(MICROSECOND, NOW(3), ??) AS wait_us', [table.dueAt]);
  const row = (await waiting(db, table)
    .where(table.address, at)
    .orderBy(order === 'strict' ? 'id' : table.dueAt)
    .first(waitUs)) as { wait_us: number } | undefined;
  return row && Math.max(0, row.wait_us / 1000);
}

const MAX_WOKEN = 1000;

/** Addresses whose mail has been overdue for this long, longest first, with their tenants. */
export function overdue(db: Knex, { table }: AnyMailbox, forMs: number): Knex.QueryBuilder {
  const columns = [table.address, ...(table.tenant === undefined ? [] : [table.tenant])];
  return waiting(db, table)
    .where(table.dueAt, '<', ago(db, forMs))
    .groupBy(columns)
    .orderByRaw('MIN(??)', [table.dueAt])
    .limit(MAX_WOKEN)
    .select({ address: table.address, tenant: table.tenant ?? db.raw('NULL') });
}

/**
 * How many microseconds ago the longest-waiting mail became due; null if none is due. Mail that waits for a retry is
 * not due, nor, in strict order, is the mail behind it.
 */
export function maxDueUs(db: Knex, { table, order }: AnyMailbox): Knex.QueryBuilder {
  const rows = waiting(db, table).where(table.dueAt, '<=', db.raw('NOW(3)'));
  if (order === 'strict') {
    const pausing = rowsOf(db, table)
      .where({ state: 'pending' })
      .where(table.dueAt, '>', db.raw('NOW(3)'))
      .groupBy(table.address)
      .select({ paused_at: table.address, paused_id: db.raw('MIN(??)', ['id']) })
      .as('pausing');
    rows
      .leftJoin(pausing, (on) => on.on('paused_at', table.address).andOn('paused_id', '<', 'id'))
      .whereNull('paused_id');
  }
  return rows.select(db.raw('TIMESTAMPDIFF(MICROSECOND, MIN(??), NOW(3))', [table.dueAt]));
}

const tenantIn = (table: AnyTable, value: unknown): Tenant => table.tenantOf?.(value) ?? (value as Tenant);

/** An address that a sweep has found. */
export const atFound = (table: AnyTable, { address, tenant }: Found): At => ({
  id: address,
  ...(tenant === null ? {} : { tenant: tenantIn(table, tenant) }),
});

export const atOf = (table: AnyTable, row: Row): At =>
  atFound(table, {
    address: String(row[table.address]),
    tenant: table.tenant === undefined ? null : (row[table.tenant] as string),
  });

/** Changes only rows that still wait: an operator may have discarded some meanwhile. */
export function settling(
  db: Knex,
  mailbox: AnyMailbox,
  ids: readonly number[],
  ending: Ending,
): Knex.QueryBuilder<object, number> {
  const { table, keep } = mailbox;
  const { state, reason, afterMs = 0, isCounted = true, set = {} } = ending;
  const rows = rowsOf(db, table).whereIn('id', ids).where({ state: 'pending' });
  if (state !== 'pending' && keep[state] === 0) return rows.delete();
  return rows.update({
    state,
    [table.reason]: reason?.slice(0, table.maxReasonLength) ?? null,
    ...(isCounted ? { attempts: db.raw('attempts + 1') } : {}),
    ...(state === 'pending' ? { [table.dueAt]: ago(db, -afterMs) } : { finished_at: db.raw('NOW(3)') }),
    ...set,
  });
}

/** Rows that finished long ago. */
export const oldMail = ({ table, keep }: AnyMailbox): Clearing => ({
  table: table.name,
  key: 'id',
  old: (db) =>
    (['done', 'failed', 'dropped'] as const).flatMap((state) => {
      const keepMs = keep[state];
      if (keepMs === undefined || keepMs === 0) return [];
      return [rowsOf(db, table).where({ state }).where('finished_at', '<', ago(db, keepMs))];
    }),
});
