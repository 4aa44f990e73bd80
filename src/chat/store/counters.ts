/** The organisations' rows of kernel_counters: the numbers of their last events and messages. */
import type { Knex } from 'knex';
import type { Tenant } from '../../kernel/actor/address';
import { readOf, type Read } from '../../kernel/mysql/read-packet';
import type { RealmId } from '../model/organisation/realm';
import { readColumn } from './rows';

/** The number of the last committed event. */
export const eventNumberRead = (tenant: Tenant): Read<number> =>
  readOf(
    'SELECT event_number FROM kernel_counters WHERE tenant = ?',
    [tenant],
    ([counter]: readonly { event_number: number }[]) => counter?.event_number ?? 0,
  );

/** The id of an organisation's newest message. */
export const headOf = async (db: Knex, tenant: Tenant): Promise<number> =>
  (await readColumn<number>(db('kernel_counters').where({ tenant }), 'record_number')) ?? 0;

/** An organisation with messages that a consumer has not processed yet. */
export interface Backlog {
  readonly realmId: RealmId;
  /** The id of the newest message. */
  readonly head: number;
}

const REALM = 'CAST(SUBSTRING(counter.tenant, 6) AS UNSIGNED)';

/** By the consumer's cursors. Compared inside MySQL, so that organisations without new messages return no rows. */
export const behind = (db: Knex, table: string, column: string): Knex.QueryBuilder =>
  db({ counter: 'kernel_counters' })
    .joinRaw(`LEFT JOIN ?? cursors ON cursors.realm_id = ${REALM}`, table)
    .where('counter.tenant', 'like', 'chat:%')
    .whereRaw('counter.record_number > COALESCE(cursors.??, 0)', column);

export async function backlogs(db: Knex, table: string, column: string): Promise<Backlog[]> {
  return (await behind(db, table, column).select({
    realmId: db.raw(REALM),
    head: 'counter.record_number',
  })) as Backlog[];
}
