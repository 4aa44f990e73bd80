/** What a client is told when it registers: the state of everything it asked for, and the number of the last event in it. */
import type { Knex } from 'knex';
import type { Kernel } from '../../../kernel/kernel';
import { readSnapshot } from '../../../kernel/mysql/snapshot';
import type { QueueFilters } from '../../model/queue';
import { realmTenant } from '../../model/realm';
import type { User } from '../../model/user';
import { PARTS } from './parts';

export interface StateAsk {
  readonly filters: QueueFilters;
  readonly fetchTypes: readonly string[] | null;
}

/** One part of the state: it reads in the snapshot it is given and answers keys of the response. */
export type StatePart = (view: {
  kernel: Kernel;
  db: Knex;
  by: User;
  ask: StateAsk;
}) => Promise<Record<string, unknown>>;

export async function readInitialState(
  kernel: Kernel,
  by: User,
  ask: StateAsk,
): Promise<{ state: Record<string, unknown>; eventNumber: number }> {
  const wanted = Object.entries(PARTS).filter(([type]) => ask.fetchTypes === null || ask.fetchTypes.includes(type));
  return readSnapshot(kernel.mysql, async (db) => {
    const row = (await db('kernel_counters')
      .where({ tenant: realmTenant(by.realmId) })
      .first('event_number')) as { event_number: number } | undefined;
    const state: Record<string, unknown> = {};
    // One connection, one snapshot: the parts take turns.
    for (const [, part] of wanted) Object.assign(state, await part({ kernel, db, by, ask }));
    return { state, eventNumber: row?.event_number ?? 0 };
  });
}
