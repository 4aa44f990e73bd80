/** Extra data for the list of unread messages: marks by range, and names. */
import type { Knex } from 'knex';
import { FLAGS } from '../../model/messages/message';
import { ENDLESS, type MessageRef, type Interval, type Marks } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { grouped } from '../rows';

export async function marksBetween(
  db: Knex,
  userId: UserId,
  { from, to }: Interval,
): Promise<{ marks: Marks; mentioned: number[] }> {
  const [[exceptions, topics, mentions]] = (await db.raw(
    'SELECT message_id, is_read FROM chat_read_exceptions WHERE user_id = ? AND message_id BETWEEN ? AND ?; ' +
      'SELECT topic_id, read_id FROM chat_topic_reads WHERE user_id = ? AND read_id >= ?; ' +
      'SELECT message_id FROM chat_flags WHERE user_id = ? AND flag = ? AND message_id BETWEEN ? AND ?',
    [userId, from, to, userId, from, userId, FLAGS.mentioned, from, to],
  )) as [
    [{ message_id: number; is_read: number }[], { topic_id: number; read_id: number }[], { message_id: number }[]],
  ];
  return {
    marks: {
      isRead: new Map(exceptions.map((row) => [row.message_id, row.is_read === 1])),
      flags: new Map(),
      topicReadIds: new Map(topics.map((row) => [row.topic_id, row.read_id])),
    },
    mentioned: mentions.map(({ message_id: id }) => id),
  };
}

/** The oldest message that was marked as unread again. */
export async function lowestException(db: Knex, userId: UserId): Promise<number> {
  const row = (await db('chat_read_exceptions')
    .where({ user_id: userId, is_read: false })
    .min({ id: 'message_id' })
    .first()) as { id: number | null } | undefined;
  return row?.id ?? ENDLESS;
}

export async function namesAround(
  db: Knex,
  refs: readonly MessageRef[],
): Promise<{ topicNames: Map<number, string>; members: Map<number, number[]> }> {
  // SQL has no empty list.
  const topicIds = [...new Set([0, ...refs.flatMap(({ topicId }) => (topicId === null ? [] : [topicId]))])];
  const conversations = refs.filter(({ topicId }) => topicId === null).map(({ recipientId }) => recipientId);
  const [[topics, pairs]] = (await db.raw(
    'SELECT id, name FROM chat_topics WHERE id IN (?); ' +
      'SELECT recipient_id, user_id FROM chat_subscriptions WHERE recipient_id IN (?) ORDER BY recipient_id, user_id',
    [topicIds, [...new Set([0, ...conversations])]] as never,
  )) as [[{ id: number; name: string }[], { recipient_id: number; user_id: number }[]]];
  const members = grouped(pairs.map((row) => [row.recipient_id, row.user_id]));
  return { topicNames: new Map(topics.map(({ id, name }) => [id, name])), members };
}
