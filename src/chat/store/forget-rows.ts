/** Deletes expired rows, a limited number at a time. */
import type { Knex } from 'knex';

const MAX_AT_ONCE = 500;

/**
 * Finds the rows first, then deletes them by primary key. A DELETE through another index locks that index before the
 * row. Writers lock them in the opposite order, which would cause deadlocks.
 */
export async function forgetRows(over: Knex.QueryBuilder, primaryKey: string): Promise<void> {
  const ids = (await over.clone().limit(MAX_AT_ONCE).pluck(primaryKey)) as number[];
  // The conditions apply again, because a row may have been renewed meanwhile.
  if (ids.length > 0) await over.clone().whereIn(primaryKey, ids).delete();
}
