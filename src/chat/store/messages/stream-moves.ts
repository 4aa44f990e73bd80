/** Moves messages to a topic of another stream: their rows, and what each reader of both streams has read of them. */
import type { Knex } from 'knex';
import type { Edit } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { User, UserId } from '../../model/users/user';
import { noteChanges } from '../reading/search-index';

export interface Spot {
  readonly streamId: StreamId;
  readonly topicId: number;
}

export interface StreamMove {
  readonly realmId: RealmId;
  readonly from: Spot;
  readonly to: Spot & { readonly topic: string };
  /** The highest id of all messages that move, in however many transactions. */
  readonly lastId: number;
}

/** Read marks of both streams wait until the transaction ends. */
export async function lockSpots(db: Knex, { from, to }: StreamMove): Promise<void> {
  await db.raw('SELECT id FROM chat_recipients WHERE id IN (?, ?) ORDER BY id FOR UPDATE', [
    from.streamId,
    to.streamId,
  ]);
  await db.raw('SELECT id FROM chat_topics WHERE id IN (?, ?) ORDER BY id FOR UPDATE', [from.topicId, to.topicId]);
}

/** Those of these messages that are still in the old topic, locked. */
export async function lockMessages(db: Knex, { realmId, from }: StreamMove, ids: readonly number[]): Promise<number[]> {
  const rows = db('chat_messages').where({ realm_id: realmId, topic_id: from.topicId }).whereIn('id', ids);
  return (await rows.orderBy('id').forUpdate().pluck('id')) as number[];
}

/** Ids of a topic's messages from one on, ascending; one more than `most` if there are more. */
export async function topicIds(
  db: Knex,
  { realmId, topicId }: { readonly realmId: RealmId; readonly topicId: number },
  fromId: number,
  most: number,
): Promise<number[]> {
  const rows = db('chat_messages').where({ realm_id: realmId, topic_id: topicId }).where('id', '>=', fromId);
  return (await rows
    .orderBy('id')
    .limit(most + 1)
    .pluck('id')) as number[];
}

/** One of these messages that somebody else has written, if there is one. */
export async function firstOfOthers(
  db: Knex,
  by: Pick<User, 'id' | 'realmId'>,
  ids: readonly number[],
): Promise<number[]> {
  const found = db('chat_messages').where({ realm_id: by.realmId }).whereIn('id', ids);
  return (await found.whereNot({ sender_id: by.id }).limit(1).pluck('id')) as number[];
}

/** Whether the list of edits of one of these messages is longer than that. */
export async function hasLongHistory(
  db: Knex,
  { realmId }: Pick<StreamMove, 'realmId'>,
  ids: readonly number[],
  bytes: number,
): Promise<boolean> {
  const found = db('chat_messages').where({ realm_id: realmId }).whereIn('id', ids);
  return (await found.whereRaw('LENGTH(edits) > ?', [bytes]).first('id')) !== undefined;
}

/** How far a reader has read in the old topic, and in the new one; NULL for s: they did not receive it in the old one. */
const REACHED = 'GREATEST(u.read_id, s.read_id, COALESCE(f.read_id, 0))';
const REACHES = 'GREATEST(u.read_id, t.read_id, COALESCE(n.read_id, 0))';
const READERS =
  'chat_subscriptions t JOIN chat_users u ON u.id = t.user_id ' +
  'LEFT JOIN chat_subscriptions s ON s.recipient_id = ? AND s.user_id = t.user_id AND s.is_active ' +
  'LEFT JOIN chat_topic_reads f ON f.user_id = t.user_id AND f.topic_id = ? ' +
  'LEFT JOIN chat_topic_reads n ON n.user_id = t.user_id AND n.topic_id = ?';
const readersOf = ({ from, to }: StreamMove) => [from.streamId, from.topicId, to.topicId];

/**
 * If the new topic has no messages, everyone's cursor is copied to it, which saves a row per message and reader: later
 * messages there have higher ids. Messages count as read for those who did not receive them in the old stream.
 */
export async function takeCursorsAlong(db: Knex, move: StreamMove): Promise<void> {
  const { realmId, to, lastId } = move;
  if (await db('chat_messages').where({ realm_id: realmId, topic_id: to.topicId }).first('id')) return;
  await db('chat_topic_reads').where({ topic_id: to.topicId }).delete();
  await db.raw(
    'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) SELECT c.user_id, ?, ?, c.reached FROM (' +
      `SELECT t.user_id, IF(s.user_id IS NULL, ?, LEAST(?, ${REACHED})) AS reached, ${REACHES} AS reaches ` +
      `FROM ${READERS} WHERE t.recipient_id = ? AND t.is_active) c WHERE c.reached > c.reaches`,
    [to.topicId, to.streamId, lastId, lastId, ...readersOf(move), to.streamId],
  );
}

const OF_OLD_READERS =
  'chat_subscriptions s JOIN chat_read_exceptions e ON e.user_id = s.user_id AND e.is_read IN (0, 1) ' +
  'AND e.recipient_id = s.recipient_id AND e.message_id IN (?) ' +
  'LEFT JOIN chat_subscriptions t ON t.recipient_id = ? AND t.user_id = s.user_id AND t.is_active';

/** Moves locked messages. Those who receive them in the new stream keep what they have read. */
export async function move(db: Knex, by: StreamMove, ids: readonly number[], edit: Edit): Promise<void> {
  const { realmId, from, to, lastId } = by;
  const old = [ids, to.streamId, from.streamId];
  await db.raw(`DELETE e FROM ${OF_OLD_READERS} WHERE s.recipient_id = ? AND t.user_id IS NULL`, old as never);
  await db.raw(`UPDATE ${OF_OLD_READERS} SET e.recipient_id = t.recipient_id WHERE s.recipient_id = ?`, old as never);
  const wasRead = `(s.user_id IS NULL OR m.id < s.from_id OR m.id <= ${REACHED})`;
  await db.raw(
    'INSERT IGNORE INTO chat_read_exceptions (user_id, message_id, recipient_id, is_read) ' +
      `SELECT t.user_id, m.id, t.recipient_id, ${wasRead} FROM ${READERS} ` +
      'JOIN chat_messages m ON m.realm_id = ? AND m.id IN (?) AND m.id >= t.from_id ' +
      // Most readers are past all of them in both streams.
      `WHERE t.recipient_id = ? AND t.is_active AND (${REACHES} < ? OR (s.user_id IS NOT NULL AND ${REACHED} < ?)) ` +
      `AND ${wasRead} <> (m.id <= ${REACHES}) AND NOT (m.sender_id = t.user_id AND (m.traits & 32) <> 0)`,
    [...readersOf(by), realmId, ids, to.streamId, lastId, lastId] as never,
  );
  const entry = JSON.stringify(edit);
  await db('chat_messages')
    .where({ realm_id: realmId })
    .whereIn('id', ids)
    .update({
      recipient_id: to.streamId,
      topic_id: to.topicId,
      topic: to.topic,
      edited_at: edit.timestamp,
      edits: db.raw("IF(edits IS NULL OR edits = '[]', ?, CONCAT('[', ?, ',', SUBSTRING(edits, 2)))", [
        `[${entry}]`,
        entry,
      ]),
    });
  await noteChanges(db, realmId, ids);
}

const MAX_USERS = 1000;

/** Stars and mentions of users who can no longer read the messages. */
export async function dropFlags(db: Knex, userIds: readonly UserId[], ids: readonly number[]): Promise<void> {
  for (let start = 0; start < userIds.length; start += MAX_USERS) {
    const some = userIds.slice(start, start + MAX_USERS);
    await db('chat_flags').whereIn('user_id', some).whereIn('message_id', ids).delete();
  }
}
