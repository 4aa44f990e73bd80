/** The organisation's row of kernel_counters, for readers of its log. */
import type { Knex } from 'knex';
import type { Tenant } from '../../kernel/actor/address';

/** The number of the last committed event. */
export async function eventNumber(db: Knex, tenant: Tenant): Promise<number> {
  const row = (await db('kernel_counters').where({ tenant }).first('event_number')) as
    | { event_number: number }
    | undefined;
  return row?.event_number ?? 0;
}
