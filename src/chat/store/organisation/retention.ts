/** Finds organisations whose messages are due for a retention check, by the index on chat_realms.retention_due_at. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import { readSettings } from '../../model/organisation/realm-settings';

export interface Keeper {
  readonly id: RealmId;
  /** Null means for ever. */
  readonly days: number | null;
}

/** The longest waiting first. An inactive organisation keeps everything. */
export async function due(db: Knex, now: Date, most: number): Promise<Keeper[]> {
  const rows = (await db('chat_realms')
    .where('retention_due_at', '<=', now)
    .orderBy('retention_due_at')
    .limit(most)
    .select('id', 'is_active', 'settings')) as { id: RealmId; is_active: number; settings: string }[];
  return rows.map(({ id, is_active: isActive, settings }) => ({
    id,
    days: isActive === 1 ? readSettings(settings).message_retention_days : null,
  }));
}

export async function lookAgain(db: Knex, ids: readonly RealmId[], at: Date): Promise<void> {
  if (ids.length > 0) await db('chat_realms').whereIn('id', ids).update({ retention_due_at: at });
}

/** Schedules a check now, after a change of the retention setting. */
export const LOOK_NOW = { retention_due_at: '2000-01-01 00:00:00' } as const;
