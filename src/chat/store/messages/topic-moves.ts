/** Moves messages from one topic of a stream to another. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import { keepReadState } from '../reading/read-state-folding';
import { noteChanges } from '../reading/search-index';

// Forced, because the optimizer prefers the primary key and hopes for an early hit.
const BY_TOPIC = 'chat_messages_realm_id_topic_id_id_index';
const PAGE = 1000;

export interface Bounds {
  /** Only messages with higher ids. */
  readonly afterId: number;
  /** Only messages not older than this. */
  readonly since: number;
}

/** Locks the other messages of the same topic, spelt exactly so, newest first, until the move commits. */
export async function lockOthers(db: Knex, message: Message, { afterId, since }: Bounds): Promise<number[]> {
  const { realmId, topicId, topic, id } = message;
  const found: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const [rows] = (await db.raw(
      `SELECT id, topic, sent_at FROM chat_messages FORCE INDEX (${BY_TOPIC}) WHERE realm_id = ? AND topic_id = ? ` +
        'AND id > ? AND id < ? ORDER BY id DESC LIMIT ? FOR UPDATE',
      [realmId, topicId, afterId, before, PAGE] as never,
    )) as [{ id: number; topic: string; sent_at: number }[]];
    const near = rows.filter((row) => row.sent_at >= since);
    found.push(...near.filter((row) => row.id !== id && row.topic === topic).map((row) => row.id));
    const last = rows.at(-1);
    // Ids and times increase together, so older pages need not be read.
    if (rows.length < PAGE || near.length < rows.length || !last) return found;
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
