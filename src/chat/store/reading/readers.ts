/** Who has read a message, by the cursors of its audience and the exceptions to them. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import type { UserId } from '../../model/users/user';

/** Of a larger audience only so many are looked at: nobody reads a longer list, and every name costs a few lookups. */
const MAX_AUDIENCE = 2000;

/** How the settings of those who do not want to be named are stored. */
const UNNAMED = '%"send_read_receipts":false%';

/**
 * In the order of their ids, without the sender, without people who do not want to be named, and without those whom the
 * asking user has muted or who have muted them.
 */
export async function readersOf(
  db: Knex,
  { id, recipientId, topicId, senderId }: Pick<Message, 'id' | 'recipientId' | 'topicId' | 'senderId'>,
  byId: UserId,
): Promise<UserId[]> {
  const [rows] = (await db.raw(
    'SELECT x.user_id FROM (SELECT user_id, is_active, from_id, read_id FROM chat_subscriptions ' +
      'WHERE recipient_id = ? AND user_id <> ? ORDER BY user_id LIMIT ?) x JOIN chat_users u ON u.id = x.user_id ' +
      'LEFT JOIN chat_read_exceptions e ON e.user_id = x.user_id AND e.message_id = ? ' +
      'LEFT JOIN chat_topic_reads t ON t.user_id = x.user_id AND t.topic_id = ? ' +
      'LEFT JOIN chat_muted_users p ON p.user_id = x.user_id AND p.muted_id = ? ' +
      'LEFT JOIN chat_muted_users q ON q.user_id = ? AND q.muted_id = x.user_id ' +
      'WHERE u.is_active AND u.settings NOT LIKE ? AND p.user_id IS NULL AND q.user_id IS NULL ' +
      'AND COALESCE(e.is_read, ? <= GREATEST(u.read_id, x.read_id, COALESCE(t.read_id, 0))) ' +
      'AND ((x.is_active AND x.from_id <= ?) OR EXISTS (SELECT 1 FROM chat_receptions r ' +
      'WHERE r.user_id = x.user_id AND r.recipient_id = ? AND ? BETWEEN r.from_id AND r.to_id)) ORDER BY x.user_id',
    [recipientId, senderId, MAX_AUDIENCE, id, topicId ?? 0, byId, byId, UNNAMED, id, id, recipientId, id],
  )) as [{ user_id: UserId }[]];
  return rows.map(({ user_id: userId }) => userId);
}
