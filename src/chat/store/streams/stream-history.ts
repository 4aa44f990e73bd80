/** Summaries of streams' messages. They read one index entry per stream or topic, however long it is. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';

// Forced, because the optimizer prefers the primary key and hopes for an early hit.
const BY_STREAM = 'chat_messages_realm_id_recipient_id_id_index';
const BY_TOPIC = 'chat_messages_realm_id_topic_id_id_index';

/** The first message of each stream that has any. */
export const firstIds = (db: Knex, realmId: RealmId, streamIds: readonly StreamId[]) =>
  endIds(db, realmId, streamIds, 'ASC');

/** The last message of each stream that has any. */
export const lastIds = (db: Knex, realmId: RealmId, streamIds: readonly StreamId[]) =>
  endIds(db, realmId, streamIds, 'DESC');

/** The first or last message of the stream in this column, or another column of it; the organisation is the only binding. */
export const endOf = (stream: string, order: 'ASC' | 'DESC', column: 'id' | 'sent_at' = 'id'): string =>
  `(SELECT m.${column} FROM chat_messages m FORCE INDEX (${BY_STREAM}) ` +
  `WHERE m.realm_id = ? AND m.recipient_id = ${stream} ORDER BY m.id ${order} LIMIT 1)`;

/** As Zulip counts: a stream without a message for 180 days is not recently active. */
const LIVELY_SECONDS = 180 * 86_400;

/** Whether a stream of this table is new, or has had a message in that time. The organisation is the only binding. */
export const livelyOf = (table: string): string =>
  // The server's clock counts: a few seconds are nothing here.
  `(${table}.created_at > NOW(3) - INTERVAL ${LIVELY_SECONDS} SECOND ` +
  `OR COALESCE(${endOf(`${table}.id`, 'DESC', 'sent_at')}, 0) > UNIX_TIMESTAMP() - ${LIVELY_SECONDS})`;

/** Those of these streams that are recently active. */
export async function livelyIds(db: Knex, realmId: RealmId, streamIds: readonly StreamId[]): Promise<Set<StreamId>> {
  if (streamIds.length === 0) return new Set();
  const found = db('chat_streams').whereIn('id', streamIds).whereRaw(livelyOf('chat_streams'), [realmId]);
  return new Set((await found.pluck('id')) as StreamId[]);
}

async function endIds(
  db: Knex,
  realmId: RealmId,
  streamIds: readonly StreamId[],
  order: 'ASC' | 'DESC',
): Promise<Map<StreamId, number>> {
  if (streamIds.length === 0) return new Map();
  const end = db.raw(`${endOf('s.id', order)} AS end`, [realmId]);
  const rows = (await db('chat_streams as s').whereIn('s.id', streamIds).select('s.id', end)) as {
    id: StreamId;
    end: number | null;
  }[];
  return new Map(rows.flatMap((row) => (row.end === null ? [] : [[row.id, row.end]])));
}

/** Ids of a stream's messages after one id and up to another, limited in number. */
export async function idsBetween(
  db: Knex,
  { realmId, streamId }: { realmId: RealmId; streamId: StreamId },
  [after, to]: readonly [number, number],
  most: number,
): Promise<number[]> {
  const [rows] = (await db.raw(
    `SELECT id FROM chat_messages FORCE INDEX (${BY_STREAM}) ` +
      'WHERE realm_id = ? AND recipient_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?',
    [realmId, streamId, after, to, most],
  )) as [{ id: number }[]];
  return rows.map(({ id }) => id);
}

export interface TopicEnd {
  readonly topicId: number;
  readonly name: string;
  readonly maxId: number;
}

/** The newest message of each topic within a range of ids, with the topic's spelling there. */
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

export interface FoundTopic {
  readonly streamId: StreamId;
  readonly name: string;
  readonly maxId: number;
}

/** Of so many matching topics, those created last, the newest messages are looked up. */
const MAX_MATCHES = 300;

/**
 * Topics whose names contain all words, themselves or with their stream's, newest message first: of the streams that
 * the user is subscribed to, and only with messages that the user may read.
 */
export async function topicsLike(
  db: Knex,
  { id: userId, realmId }: { readonly id: number; readonly realmId: RealmId },
  words: readonly string[],
  most: number,
): Promise<FoundTopic[]> {
  const matching = words.map(() => "INSTR(CONCAT(t.name_key, ' ', s.name_key), LOWER(?)) > 0").join(' AND ');
  const last =
    `(SELECT m.id FROM chat_messages m FORCE INDEX (${BY_TOPIC}) WHERE m.realm_id = ? AND m.topic_id = f.id ` +
    'AND m.id >= f.from_id ORDER BY m.id DESC LIMIT 1)';
  const found =
    'SELECT t.id, IF(s.is_history_public, 0, x.from_id) AS from_id FROM chat_subscriptions x ' +
    'JOIN chat_streams s ON s.id = x.recipient_id AND s.is_active JOIN chat_topics t ON t.recipient_id = s.id ' +
    `WHERE x.user_id = ? AND x.is_active AND ${matching} ORDER BY t.id DESC LIMIT ?`;
  const [rows] = (await db.raw(
    'SELECT m.recipient_id AS streamId, m.topic AS name, m.id AS maxId ' +
      `FROM (SELECT f.id, ${last} AS last FROM (${found}) f) e JOIN chat_messages m ON m.realm_id = ? AND m.id = e.last ` +
      'ORDER BY m.id DESC LIMIT ?',
    [realmId, userId, ...words, MAX_MATCHES, realmId, most] as never,
  )) as [FoundTopic[]];
  return rows.map(({ streamId, name, maxId }) => ({ streamId, name, maxId }));
}
