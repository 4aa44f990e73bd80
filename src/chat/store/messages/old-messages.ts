/** Finds messages and files beyond an organisation's retention, page by page, and rows that depend on them. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface OldMessage {
  readonly id: number;
  /** In Unix seconds. */
  readonly sentAt: number;
}

/** Ordered by id, which is nearly the order of time: the nodes' clocks differ. */
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
