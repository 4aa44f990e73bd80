/** Finds a topic's messages for removal, in batches, and who received them. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { UserId } from '../../model/users/user';
import { messageOf, type MessageRow } from './messages';

// Forced, because the optimizer prefers the primary key and hopes for an early hit.
const BY_TOPIC = 'chat_messages_realm_id_topic_id_id_index';

/** Locks a topic's newest messages within a range of ids. */
export async function lockNewest(
  db: Knex,
  { realmId, topicId }: { readonly realmId: RealmId; readonly topicId: number },
  [from, to]: readonly [number, number],
  most: number,
): Promise<Message[]> {
  const [rows] = (await db.raw(
    `SELECT * FROM chat_messages FORCE INDEX (${BY_TOPIC}) ` +
      'WHERE realm_id = ? AND topic_id = ? AND id BETWEEN ? AND ? ORDER BY id DESC LIMIT ? FOR UPDATE',
    [realmId, topicId, from, to, most],
  )) as [MessageRow[]];
  return rows.map(messageOf);
}

/** Returns a function that tells who received any message of a stream. */
export async function receiversOf(db: Knex, streamId: StreamId): Promise<(messageId: number) => UserId[]> {
  const [rows] = (await db.raw(
    'SELECT user_id, from_id, ? AS to_id FROM chat_subscriptions WHERE recipient_id = ? AND is_active ' +
      'UNION ALL SELECT r.user_id, r.from_id, r.to_id FROM chat_subscriptions s JOIN chat_receptions r ' +
      'ON r.user_id = s.user_id AND r.recipient_id = s.recipient_id WHERE s.recipient_id = ?',
    [Number.MAX_SAFE_INTEGER, streamId, streamId],
  )) as [{ user_id: UserId; from_id: number; to_id: number }[]];
  return (id) => [
    ...new Set(rows.filter((row) => row.from_id <= id && id <= row.to_id).map(({ user_id: userId }) => userId)),
  ];
}
