/** Who takes part in a topic: who has written or reacted in it. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

/** In a longer topic, those of the newest messages take part. */
const NEWEST = 5000;

const OF_TOPIC =
  'SELECT id, sender_id FROM chat_messages FORCE INDEX (chat_messages_realm_id_topic_id_id_index) ' +
  'WHERE realm_id = ? AND topic_id = ? ORDER BY id DESC LIMIT ?';

export async function participants(db: Knex, realmId: RealmId, topicId: number): Promise<UserId[]> {
  const topic = [realmId, topicId, NEWEST];
  const [rows] = (await db.raw(
    `SELECT m.sender_id AS id FROM (${OF_TOPIC}) m UNION ` +
      `SELECT r.user_id FROM (${OF_TOPIC}) m JOIN chat_reactions r ON r.realm_id = ? AND r.message_id = m.id`,
    [...topic, ...topic, realmId],
  )) as [{ id: UserId }[]];
  return rows.map(({ id }) => id);
}
