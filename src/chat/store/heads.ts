/** The newest message of each organisation that has any. */
import type { Knex } from 'knex';
import { realmTenant, type RealmId } from '../model/organisation/realm';

export async function heads(db: Knex): Promise<Map<RealmId, number>> {
  const [[realms, counters]] = (await db.raw(
    'SELECT id FROM chat_realms; SELECT tenant, record_number FROM kernel_counters WHERE record_number > 0',
  )) as [[{ id: RealmId }[], { tenant: string; record_number: number }[]]];
  const numbers = new Map(counters.map((row) => [row.tenant, row.record_number]));
  return new Map(
    realms.flatMap(({ id }) => {
      const head = numbers.get(realmTenant(id));
      return head === undefined ? [] : [[id, head] as const];
    }),
  );
}
