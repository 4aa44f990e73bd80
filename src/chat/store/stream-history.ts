/** What has been said in streams, in outline. Reads one index entry for each stream or topic, however long it is. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/realm';
import type { StreamId } from '../model/stream';

// Named, because the optimizer would rather walk the primary key and hope for an early hit.
const BY_STREAM = 'chat_messages_realm_id_recipient_id_id_index';
const BY_TOPIC = 'chat_messages_realm_id_topic_id_id_index';

/** The first message of each stream that has any. */
export async function firstIds(
  db: Knex,
  realmId: RealmId,
  streamIds: readonly StreamId[],
): Promise<Map<StreamId, number>> {
  const first = db.raw(
    `(SELECT m.id FROM chat_messages m FORCE INDEX (${BY_STREAM}) ` +
      'WHERE m.realm_id = ? AND m.recipient_id = s.id ORDER BY m.id LIMIT 1) AS first',
    [realmId],
  );
  const rows = (await db('chat_streams as s').whereIn('s.id', streamIds).select('s.id', first)) as {
    id: StreamId;
    first: number | null;
  }[];
  return new Map(rows.flatMap((row) => (row.first === null ? [] : [[row.id, row.first]])));
}

export interface TopicEnd {
  readonly topicId: number;
  readonly name: string;
  readonly maxId: number;
}

/** The newest message of each topic within a range of ids, under the name the topic has there. */
export async function topicEnds(
  db: Knex,
  realmId: RealmId,
  streamId: StreamId,
  [from, to]: readonly [number, number],
): Promise<TopicEnd[]> {
  const last = db.raw(
    `(SELECT m.id FROM chat_messages m FORCE INDEX (${BY_TOPIC}) ` +
      'WHERE m.realm_id = ? AND m.topic_id = t.id AND m.id BETWEEN ? AND ? ORDER BY m.id DESC LIMIT 1) AS last',
    [realmId, from, to],
  );
  const ends = db('chat_topics as t').where({ recipient_id: streamId }).select({ topic_id: 't.id' }, last).as('e');
  return (await db
    .from(ends)
    .join('chat_messages as m', (on) => void on.on('m.id', 'e.last').andOn(db.raw('m.realm_id = ?', [realmId])))
    .select({ topicId: 'e.topic_id', name: 'm.topic', maxId: 'm.id' })) as TopicEnd[];
}
