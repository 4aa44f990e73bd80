/** Statements that run for every request, sent as they are: building and reading them by Knex costs more than they do. */
import type { Knex } from 'knex';
import { hideValues } from './hide-values';

interface Pool {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  emit(event: 'query', query: { sql: string; bindings: readonly unknown[] }): void;
  _query(connection: Connection, query: Query): Promise<unknown>;
}

declare const connection: unique symbol;
export interface Connection {
  readonly [connection]: true;
}

interface Query {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  readonly options: object;
  response?: readonly [unknown, unknown];
}

const poolOf = (db: Knex): Pool => db.client as Pool;

/** On a connection that nobody else uses meanwhile. */
export async function withConnection<T>(db: Knex, work: (connection: Connection) => Promise<T>): Promise<T> {
  const pool = poolOf(db);
  const own = await pool.acquireConnection();
  try {
    return await work(own);
  } finally {
    await pool.releaseConnection(own);
  }
}

/** Rows, or how many were changed; of several statements, a list of these. The deadline is that of every statement. */
// oxlint-disable-next-line max-params -- where, what, with which values
export async function sendOn(db: Knex, on: Connection, sql: string, bindings: readonly unknown[]): Promise<unknown> {
  const pool = poolOf(db);
  const query: Query = { sql, bindings, options: {} };
  pool.emit('query', query);
  try {
    await pool._query(on, query);
  } catch (error) {
    // Knex tells of its own statements only.
    hideValues(error);
    throw error;
  }
  return query.response![0];
}

/** What a statement that reads is answered with. */
export type Rows = readonly Record<string, unknown>[];

/** In a transaction it goes the way of everything in it. */
export async function send(db: Knex, sql: string, bindings: readonly unknown[]): Promise<unknown> {
  if (db.isTransaction) return ((await db.raw(sql, bindings as never)) as [unknown])[0];
  return withConnection(db, (own) => sendOn(db, own, sql, bindings));
}
