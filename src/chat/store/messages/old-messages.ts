/** Finds the messages and files that an organisation no longer keeps, some at a time, and what hangs on them. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface OldMessage {
  readonly id: number;
  /** In seconds. */
  readonly sentAt: number;
}

/** In the order of their ids, which is nearly that of their times: clocks of nodes differ. */
export async function after(db: Knex, realmId: RealmId, id: number, most: number): Promise<OldMessage[]> {
  return (await db('chat_messages')
    .where({ realm_id: realmId })
    .where('id', '>', id)
    .orderBy('id')
    .limit(most)
    .select({ id: 'id', sentAt: 'sent_at' })) as OldMessage[];
}

/** Files that were uploaded before the time and that no message links. */
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
 * Everybody with a read mark of their own on one of these messages. Marks are found by user, so each user's are read as a
 * range: a list of ids would be looked up one by one for every user.
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
