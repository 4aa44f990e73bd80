/** Sends handwritten SQL as it is. */
import type { Knex } from 'knex';

/** The result of a statement that reads. */
export type Rows = readonly Record<string, unknown>[];

/**
 * Returns rows, or how many were changed; for several statements, a list of these. A statement without values may
 * contain question marks: Knex looks for placeholders only if there are values.
 */
export async function send(db: Knex, sql: string, bindings: readonly unknown[]): Promise<unknown> {
  const [answer] = (await rawOf(db, sql, bindings)) as [unknown];
  return answer;
}

export const rawOf = (db: Knex, sql: string, bindings: readonly unknown[]): Knex.Raw =>
  bindings.length === 0 ? db.raw(sql) : db.raw(sql, bindings as readonly Knex.RawBinding[]);
