/** Finds organisations with messages that a consumer has not processed yet, by the consumer's cursor table. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/organisation/realm';

export interface Behind {
  readonly realmId: RealmId;
  /** The id of the newest message. */
  readonly head: number;
  /** Null if nothing was processed yet. */
  readonly reached: number | null;
}

const REALM = 'CAST(SUBSTRING(counter.tenant, 6) AS UNSIGNED)';

/** Compared inside MySQL, so that organisations without new messages return no rows. */
export async function behind(
  db: Knex,
  cursors: { readonly table: string; readonly column: string },
): Promise<Behind[]> {
  const { table, column } = cursors;
  const [rows] = (await db.raw(
    `SELECT ${REALM} AS realmId, counter.record_number AS head, cursors.?? AS reached FROM kernel_counters counter ` +
      `LEFT JOIN ?? cursors ON cursors.realm_id = ${REALM} ` +
      "WHERE counter.tenant LIKE 'chat:%' AND counter.record_number > COALESCE(cursors.??, 0)",
    [column, table, column],
  )) as [Behind[]];
  return rows;
}
