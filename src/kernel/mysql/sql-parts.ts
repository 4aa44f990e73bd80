/** Parts of queries that many stores use: moments by MySQL's clock, which all nodes share, counts, and old sessions. */
import type { Knex } from 'knex';

const MICROSECONDS = 1000;

export const ago = (db: Knex, milliseconds: number): Knex.Raw =>
  db.raw('NOW(3) - INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

export const fromNow = (db: Knex, milliseconds: number): Knex.Raw =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

/** How many rows a query finds. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = (await query.count({ count: '*' })) as [{ count: number }];
  return row.count;
}

/** Deletes the least recently used sessions of an owner beyond this number. */
export async function removeBeyond(db: Knex, table: string, owner: object, most: number): Promise<number> {
  const ids = (await db(table)
    .where(owner)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .offset(most)
    .limit(1000)
    .pluck('id')) as number[];
  return ids.length === 0 ? 0 : db(table).whereIn('id', ids).delete();
}
