/** Finds organisations due for a retention check, and their old messages and files with what depends on them. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import { readSettings } from '../../model/organisation/realm-settings';
import type { UserId } from '../../model/users/user';

export interface Keeper {
  readonly id: RealmId;
  /** Null means for ever. */
  readonly days: number | null;
}

/** By the index on retention_due_at, the longest waiting first. An inactive organisation keeps everything. */
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

interface OldMessage {
  readonly id: number;
  /** In Unix seconds. */
  readonly sentAt: number;
}

/** Messages after an id, in the order of ids, which is nearly the order of time: the nodes' clocks differ. */
export async function after(db: Knex, realmId: RealmId, id: number, most: number): Promise<OldMessage[]> {
  return (await db('chat_messages')
    .where({ realm_id: realmId })
    .where('id', '>', id)
    .orderBy('id')
    .limit(most)
    .select({ id: 'id', sentAt: 'sent_at' })) as OldMessage[];
}

/** Files uploaded before this time that no message links to. */
export async function unlinkedFiles(db: Knex, realmId: RealmId, before: Date, most: number): Promise<number[]> {
  const links = db('chat_upload_links').whereRaw('upload_id = chat_uploads.id').select(db.raw('1'));
  return (await db('chat_uploads')
    .where({ realm_id: realmId })
    .where('created_at', '<', before)
    .whereNotExists(links)
    .orderBy('id')
    .limit(most)
    .pluck('id')) as number[];
}

const USERS_AT_ONCE = 1000;

/**
 * Users with a read exception on any of these messages. The index begins with the user, so each user's exceptions are
 * read as a range: a list of ids would mean one lookup per id and user.
 */
export async function markedBy(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<UserId[]> {
  const users = (await db('chat_users').where({ realm_id: realmId }).pluck('id')) as UserId[];
  const wanted = new Set(ids);
  const found = new Set<UserId>();
  for (let start = 0; start < users.length; start += USERS_AT_ONCE) {
    const rows = (await db('chat_read_exceptions')
      .whereIn('user_id', users.slice(start, start + USERS_AT_ONCE))
      .whereBetween('message_id', [ids[0]!, ids.at(-1)!])
      .select({ userId: 'user_id', id: 'message_id' })) as { userId: UserId; id: number }[];
    for (const { userId, id } of rows) if (wanted.has(id)) found.add(userId);
  }
  return [...found];
}
