/** Rows of chat_topics, whose names are case-insensitive, and their messages: to be moved, or removed in batches. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { UserId } from '../../model/users/user';
import { keepReadState } from '../reading/read-state-folding';
import { noteChanges } from '../reading/search-index';
import { readColumn } from '../rows';
import { messageOf, type MessageRow } from './messages';

export const idOf = (db: Knex, recipientId: number, name: string): Promise<number | undefined> =>
  readColumn(db('chat_topics').where({ recipient_id: recipientId }).whereRaw('name_key = LOWER(?)', [name]), 'id');

/** Finds or creates the topic. One without messages is harmless, because nobody sees it. */
export async function ensure(db: Knex, recipientId: number, name: string): Promise<number> {
  const known = await idOf(db, recipientId, name);
  if (known !== undefined) return known;
  await db('chat_topics').insert({ recipient_id: recipientId, name }).onConflict().ignore();
  return (await idOf(db, recipientId, name))!;
}

// Forced, because the optimizer prefers the primary key and hopes for an early hit.
const BY_TOPIC = 'chat_messages_realm_id_topic_id_id_index';
const PAGE = 1000;

export interface Bounds {
  /** Only messages with higher ids. */
  readonly afterId: number;
  /** Only messages not older than this. */
  readonly since: number;
  /** Whether the case of the name does not count. */
  readonly anySpelling: boolean;
  /** Beyond so many of them, no more are looked for. */
  readonly most: number;
}

/** Locks the other messages of the same topic, newest first, until the move commits. */
export async function lockOthers(
  db: Knex,
  message: Message,
  { afterId, since, anySpelling, most }: Bounds,
): Promise<number[]> {
  const { realmId, topicId, topic, id } = message;
  const found: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const [rows] = (await db.raw(
      `SELECT id, topic, sent_at FROM chat_messages FORCE INDEX (${BY_TOPIC}) WHERE realm_id = ? AND topic_id = ? ` +
        'AND id > ? AND id < ? ORDER BY id DESC LIMIT ? FOR UPDATE',
      [realmId, topicId, afterId, before, PAGE] as never,
    )) as [{ id: number; topic: string; sent_at: number }[]];
    const near = rows.filter((row) => row.sent_at >= since);
    found.push(...near.filter((row) => row.id !== id && (anySpelling || row.topic === topic)).map((row) => row.id));
    const last = rows.at(-1);
    // Ids and times increase together, so older pages need not be read.
    if (rows.length < PAGE || near.length < rows.length || !last || found.length > most) return found;
    before = last.id;
  }
}

export interface Destination {
  readonly topic: string;
  readonly topicId: number;
}

/** Keeps each message's read state for every user. */
export async function move(db: Knex, from: Message, ids: readonly number[], to: Destination): Promise<void> {
  const { realmId, topicId } = from;
  const isElsewhere = topicId !== null && topicId !== to.topicId;
  const needsExceptions = isElsewhere && !(await takeCursorsAlong(db, from, to.topicId));
  for (let start = 0; start < ids.length; start += PAGE) {
    const some = ids.slice(start, start + PAGE);
    if (needsExceptions) {
      await keepReadState(db, { realmId, messageIds: some, fromTopicId: topicId, toTopicId: to.topicId });
    }
    await db('chat_messages')
      .where({ realm_id: realmId })
      .whereIn('id', some)
      .update({ topic: to.topic, topic_id: to.topicId });
    await noteChanges(db, realmId, some);
  }
}

/**
 * If the target topic has no messages, everyone's cursor of the old topic is copied: later messages there have higher
 * ids. This saves one row per message and reader. Returns whether that was possible.
 */
async function takeCursorsAlong(db: Knex, { realmId, topicId }: Message, toTopicId: number): Promise<boolean> {
  // Serialises moves into one topic, so that a later move sees the earlier one's messages.
  await db('chat_topics').where({ id: toTopicId }).forUpdate().first('id');
  const isTaken = await db('chat_messages').where({ realm_id: realmId, topic_id: toTopicId }).first('id');
  if (isTaken) return false;
  await db('chat_topic_reads').where({ topic_id: toTopicId }).delete();
  // Checks again: a message that arrived meanwhile may lie below a cursor that was set meanwhile.
  const [{ affectedRows }] = (await db.raw(
    'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) ' +
      'SELECT r.user_id, ?, r.recipient_id, r.read_id FROM chat_topic_reads r WHERE r.topic_id = ? AND NOT EXISTS ' +
      '(SELECT 1 FROM chat_messages m WHERE m.realm_id = ? AND m.topic_id = ?) ' +
      'ON DUPLICATE KEY UPDATE read_id = VALUES(read_id)',
    [toTopicId, topicId, realmId, toTopicId] as never,
  )) as [{ affectedRows: number }];
  return affectedRows > 0;
}

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
