/** Moves messages from one topic of a stream to another. */
import type { Knex } from 'knex';
import type { Message } from '../model/message';
import { keepReadState } from './read-state-folding';

// Named, because the optimizer would rather walk the primary key and hope for an early hit.
const BY_TOPIC = 'chat_messages_realm_id_topic_id_id_index';
const PAGE = 1000;

export interface Bounds {
  /** Only messages with higher ids. */
  readonly afterId: number;
  /** Only messages not older than this. */
  readonly since: number;
}

/** Other messages of the same topic, written exactly so, newest first; locked until the move has been committed. */
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
    // Ids and times go up together, so what is older is not worth looking for.
    if (rows.length < PAGE || near.length < rows.length || !last) return found;
    before = last.id;
  }
}

export interface Destination {
  readonly topic: string;
  readonly topicId: number;
}

/** What was read stays read, and what was not stays unread. */
export async function move(db: Knex, from: Message, ids: readonly number[], to: Destination): Promise<void> {
  const { realmId, topicId } = from;
  for (let start = 0; start < ids.length; start += PAGE) {
    const some = ids.slice(start, start + PAGE);
    if (topicId !== null && topicId !== to.topicId) {
      await keepReadState(db, { realmId, messageIds: some, fromTopicId: topicId, toTopicId: to.topicId });
    }
    await db('chat_messages')
      .where({ realm_id: realmId })
      .whereIn('id', some)
      .update({ topic: to.topic, topic_id: to.topicId });
  }
}
