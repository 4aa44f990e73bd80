/** Deletes rows that are over, a limited number at a time. */
import type { Knex } from 'knex';

const MOST_AT_ONCE = 500;

/**
 * The rows are found first and deleted by their primary key. A DELETE that finds them by another index locks that index
 * before the row, and whoever changes the row locks them the other way round: one of both would be refused as a deadlock.
 */
export async function forgetRows(over: Knex.QueryBuilder, primaryKey: string): Promise<void> {
  const ids = (await over.clone().limit(MOST_AT_ONCE).pluck(primaryKey)) as number[];
  // The conditions once more: a row may have been renewed meanwhile.
  if (ids.length > 0) await over.clone().whereIn(primaryKey, ids).delete();
}
