/** Rows of kernel_outbox that are not published yet. */
import type { Knex } from 'knex';

export interface Backlog {
  readonly rows: number;
  /** Age of the oldest by the database's clock; null if there is none. */
  readonly oldestMs: number | null;
}

export async function pending(db: Knex): Promise<Backlog> {
  const [row] = (await db('kernel_outbox')
    .whereIn('is_replayable', [false, true])
    .whereNull('published_at')
    .select(db.raw('COUNT(*) AS pending, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age'))) as [
    { pending: number; age: number | null },
  ];
  return { rows: row.pending, oldestMs: row.age === null ? null : Math.round(row.age / 1000) };
}
