/** The organisations' rows of kernel_counters: the numbers of their last events and messages. */
import type { Knex } from 'knex';
import type { Tenant } from '../../kernel/actor/address';
import type { RealmId } from '../model/organisation/realm';
import { readColumn } from './rows';

/** The number of the last committed event. */
export const eventNumber = async (db: Knex, tenant: Tenant): Promise<number> =>
  (await readColumn(db('kernel_counters').where({ tenant }), 'event_number')) ?? 0;

/** An organisation with messages that a consumer has not processed yet. */
export interface Backlog {
  readonly realmId: RealmId;
  /** The id of the newest message. */
  readonly head: number;
}

const REALM = 'CAST(SUBSTRING(counter.tenant, 6) AS UNSIGNED)';

/** By the consumer's cursors. Compared inside MySQL, so that organisations without new messages return no rows. */
export async function backlogs(db: Knex, table: string, column: string): Promise<Backlog[]> {
  const [rows] = (await db.raw(
    `SELECT ${REALM} AS realmId, counter.record_number AS head FROM kernel_counters counter ` +
      `LEFT JOIN ?? cursors ON cursors.realm_id = ${REALM} ` +
      "WHERE counter.tenant LIKE 'chat:%' AND counter.record_number > COALESCE(cursors.??, 0)",
    [table, column],
  )) as [Backlog[]];
  return rows;
}
