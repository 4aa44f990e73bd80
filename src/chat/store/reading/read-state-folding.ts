/** Keeps a user's read state small: cursors advance over read messages, and rows that they cover are deleted. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';
import { HOLD_TOPIC } from './read-marks';

const MAX_AT_ONCE = 1000;

export async function advancePlace(db: Knex, userId: UserId, recipientId: number, readId: number): Promise<void> {
  await db.raw(
    'UPDATE chat_subscriptions SET read_id = GREATEST(read_id, ?) WHERE recipient_id = ? AND user_id = ?; ' +
      'DELETE FROM chat_topic_reads WHERE user_id = ? AND recipient_id = ? AND read_id <= ?; ' +
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 1 AND recipient_id = ? AND message_id <= ?',
    [readId, recipientId, userId, userId, recipientId, readId, userId, recipientId, readId],
  );
}

export interface TopicCursor {
  readonly userId: UserId;
  readonly recipientId: number;
  readonly topicId: number;
  readonly readId: number;
}

/** Prevents moves of messages to or from other streams until the transaction ends. */
export async function holdPlace(db: Knex, recipientId: number): Promise<void> {
  await db.raw('SELECT id FROM chat_recipients WHERE id = ? LOCK IN SHARE MODE', [recipientId]);
}

/** Prevents moves into or out of the topic until the transaction ends. */
export async function holdTopic(db: Knex, topicId: number): Promise<void> {
  await db.raw(HOLD_TOPIC, [topicId]);
}

export async function advanceTopic(db: Knex, cursor: TopicCursor, coveredIds: readonly number[]): Promise<void> {
  const { userId, recipientId, topicId, readId } = cursor;
  await db.raw(
    'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) VALUES (?, ?, ?, ?) ' +
      'ON DUPLICATE KEY UPDATE read_id = GREATEST(read_id, VALUES(read_id)); ' +
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 1 AND message_id IN (?)',
    [userId, topicId, recipientId, readId, userId, coveredIds] as never,
  );
}

/** Deletes some of the rows that the user's own cursor covers. Returns how many. */
export async function forgetCovered(db: Knex, userId: UserId): Promise<number> {
  const [[, [topics], [exceptions]]] = (await db.raw(
    'SET @read = (SELECT read_id FROM chat_users WHERE id = ?); ' +
      'SELECT COUNT(*) AS rows_left FROM (SELECT 1 FROM chat_topic_reads WHERE user_id = ? AND read_id <= @read LIMIT ?) t; ' +
      'SELECT COUNT(*) AS rows_left FROM (SELECT 1 FROM chat_read_exceptions WHERE user_id = ? AND is_read = 1 ' +
      'AND message_id <= @read LIMIT ?) e; ' +
      'DELETE FROM chat_topic_reads WHERE user_id = ? AND read_id <= @read LIMIT ?; ' +
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 1 AND message_id <= @read LIMIT ?',
    [userId, userId, MAX_AT_ONCE, userId, MAX_AT_ONCE, userId, MAX_AT_ONCE, userId, MAX_AT_ONCE],
  )) as [[unknown, [{ rows_left: number }], [{ rows_left: number }]]];
  return topics.rows_left + exceptions.rows_left;
}

export interface Move {
  readonly realmId: number;
  readonly messageIds: readonly number[];
  readonly fromTopicId: number;
  readonly toTopicId: number;
}

/**
 * Preserves read state before messages move between two topics of a stream. Users whose cursors differ between the
 * topics get exceptions. Call it in the transaction of the move, before it.
 */
export async function keepReadState(db: Knex, { realmId, messageIds, fromTopicId, toTopicId }: Move): Promise<void> {
  if (messageIds.length === 0) return;
  // Changes of either topic's cursor wait, and then see the messages in their new topic.
  await db.raw('SELECT id FROM chat_topics WHERE id IN (?, ?) ORDER BY id FOR UPDATE', [fromTopicId, toTopicId]);
  const read = (topic: string) => `(m.id <= GREATEST(u.read_id, s.read_id, COALESCE(${topic}.read_id, 0)))`;
  await db.raw(
    'INSERT IGNORE INTO chat_read_exceptions (user_id, message_id, recipient_id, is_read) ' +
      `SELECT s.user_id, m.id, m.recipient_id, ${read('f')} ` +
      'FROM (SELECT DISTINCT user_id FROM chat_topic_reads WHERE topic_id IN (?, ?)) r ' +
      'JOIN chat_messages m ON m.realm_id = ? AND m.id IN (?) ' +
      'JOIN chat_subscriptions s ON s.recipient_id = m.recipient_id AND s.user_id = r.user_id ' +
      'JOIN chat_users u ON u.id = s.user_id ' +
      'LEFT JOIN chat_topic_reads f ON f.user_id = s.user_id AND f.topic_id = ? ' +
      'LEFT JOIN chat_topic_reads t ON t.user_id = s.user_id AND t.topic_id = ? ' +
      `WHERE ${read('f')} <> ${read('t')} AND NOT (m.sender_id = s.user_id AND (m.traits & 32) <> 0)`,
    [fromTopicId, toTopicId, realmId, messageIds, fromTopicId, toTopicId] as never,
  );
}
