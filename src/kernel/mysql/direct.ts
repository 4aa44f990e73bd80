/** Statements that are written by hand, sent as they are. */
import type { Knex } from 'knex';

/** What a statement that reads is answered with. */
export type Rows = readonly Record<string, unknown>[];

/**
 * Gives rows, or how many were changed; of several statements, a list of these. A statement without values may hold any
 * text: Knex looks for places of values only where there are values.
 */
export async function send(db: Knex, sql: string, bindings: readonly unknown[]): Promise<unknown> {
  const [answer] = (await rawOf(db, sql, bindings)) as [unknown];
  return answer;
}

export const rawOf = (db: Knex, sql: string, bindings: readonly unknown[]): Knex.Raw =>
  bindings.length === 0 ? db.raw(sql) : db.raw(sql, bindings as readonly Knex.RawBinding[]);
