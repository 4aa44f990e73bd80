/** The organisation's row of kernel_counters, as a reader of its log needs it. */
import type { Knex } from 'knex';
import type { Tenant } from '../../kernel/actor/address';

/** The last event that has been committed. */
export async function eventNumber(db: Knex, tenant: Tenant): Promise<number> {
  const row = (await db('kernel_counters').where({ tenant }).first('event_number')) as
    | { event_number: number }
    | undefined;
  return row?.event_number ?? 0;
}
