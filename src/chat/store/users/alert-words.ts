/** Rows of chat_alert_words: words that flag a message for a user. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import { insertMissing } from '../rows';

/** In the order they were added. */
export const ofUserRead = (userId: UserId): Read<string[]> =>
  readOf(
    'SELECT word FROM chat_alert_words WHERE user_id = ? ORDER BY id',
    [userId],
    (rows: readonly { word: string }[]) => rows.map(({ word }) => word),
  );

export const ofUser = (db: Knex, userId: UserId): Promise<string[]> => runRead(db, ofUserRead(userId));

/** The alert words of a whole organisation, for checking a message. */
export const ofRealmRead = (realmId: RealmId): Read<readonly { userId: UserId; word: string }[]> =>
  readOf(
    'SELECT user_id AS userId, word FROM chat_alert_words WHERE realm_id = ?',
    [realmId],
    (rows: readonly { userId: UserId; word: string }[]) => rows,
  );

export async function add(db: Knex, { id, realmId }: User, words: readonly string[]): Promise<void> {
  const rows = words.map((word) => ({ realm_id: realmId, user_id: id, word }));
  await insertMissing(db, 'chat_alert_words', rows);
}

export async function remove(db: Knex, userId: UserId, words: readonly string[]): Promise<void> {
  await db('chat_alert_words').where({ user_id: userId }).whereIn('word', words).delete();
}
