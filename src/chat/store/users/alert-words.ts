/** Rows of chat_alert_words: words that flag a message for a user. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import { insertMissing } from '../rows';

/** In the order they were added. */
export async function ofUser(db: Knex, userId: UserId): Promise<string[]> {
  return (await db('chat_alert_words').where({ user_id: userId }).orderBy('id').pluck('word')) as string[];
}

/** The alert words of a whole organisation, for checking a message. */
export async function ofRealm(db: Knex, realmId: RealmId): Promise<{ userId: UserId; word: string }[]> {
  return (await db('chat_alert_words').where({ realm_id: realmId }).select({ userId: 'user_id' }, 'word')) as {
    userId: UserId;
    word: string;
  }[];
}

export async function add(db: Knex, { id, realmId }: User, words: readonly string[]): Promise<void> {
  const rows = words.map((word) => ({ realm_id: realmId, user_id: id, word }));
  await insertMissing(db, 'chat_alert_words', rows);
}

export async function remove(db: Knex, userId: UserId, words: readonly string[]): Promise<void> {
  await db('chat_alert_words').where({ user_id: userId }).whereIn('word', words).delete();
}
