/** Organisations whose messages somebody has yet to look through, by a table of how far each was looked at. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/organisation/realm';

export interface Behind {
  readonly realmId: RealmId;
  /** The newest message. */
  readonly head: number;
  /** Null where nothing was ever looked at. */
  readonly reached: number | null;
}

const REALM = 'CAST(SUBSTRING(counter.tenant, 6) AS UNSIGNED)';

/** Compared where the rows lie: of an organisation without new messages nothing is sent. */
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
