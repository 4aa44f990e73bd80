/** Rows of chat_missed_messages, and how far each organisation's messages were looked at. */
import type { Knex } from 'knex';
import type { Glance } from '../model/read-state';
import { FLAGS } from '../model/message';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';
import type { StoredSettings } from '../model/user-settings';
import { heads } from './heads';

export interface Missed extends Glance {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** Seconds. */
  readonly sentAt: number;
}

/** An organisation with messages that were not looked at yet. */
export interface Backlog {
  readonly realmId: RealmId;
  /** Undefined where nothing was ever looked at. */
  readonly notedId: number | undefined;
  readonly head: number;
}

export async function backlogs(db: Knex): Promise<Backlog[]> {
  const rows = (await db('chat_missed_cursors').select('realm_id', 'noted_id')) as {
    realm_id: RealmId;
    noted_id: number;
  }[];
  const noted = new Map(rows.map((row) => [row.realm_id, row.noted_id]));
  return [...(await heads(db))]
    .map(([realmId, head]) => ({ realmId, head, notedId: noted.get(realmId) }))
    .filter(({ head, notedId }) => notedId === undefined || head > notedId);
}

export async function moveCursor(db: Knex, realmId: RealmId, notedId: number): Promise<void> {
  await db('chat_missed_cursors').insert({ realm_id: realmId, noted_id: notedId }).onConflict().merge();
}

/** The first message behind the number. Ids may jump far, as after a restore. */
export async function nextId(db: Knex, realmId: RealmId, after: number): Promise<number | undefined> {
  const row = (await db('chat_messages')
    .where({ realm_id: realmId })
    .where('id', '>', after)
    .orderBy('id')
    .first('id')) as { id: number } | undefined;
  return row?.id;
}

export interface Range {
  readonly realmId: RealmId;
  readonly from: number;
  readonly to: number;
  /** Older messages are passed over; in seconds. */
  readonly since: number;
}

export interface Candidate extends Missed {
  readonly settings: StoredSettings;
}

interface CandidateRow {
  user_id: UserId;
  id: number;
  recipient_id: number;
  topic_id: number | null;
  sender_id: number;
  traits: number;
  sent_at: number;
  settings: string;
}

const COLUMNS = 'u.id AS user_id, m.id, m.recipient_id, m.topic_id, m.sender_id, m.traits, m.sent_at, u.settings';
const PEOPLE = 'u.is_active AND u.bot_type IS NULL AND u.id <> m.sender_id';
const WITHIN = 'm.realm_id = ? AND m.id BETWEEN ? AND ? AND m.sent_at >= ?';

/** People to whom these messages were sent privately, or whom they mention. */
export async function candidates(db: Knex, { realmId, from, to, since }: Range): Promise<Candidate[]> {
  const within = [realmId, from, to, since];
  const [[privately, mentions]] = (await db.raw(
    `SELECT ${COLUMNS} FROM chat_messages m ` +
      'JOIN chat_subscriptions s ON s.recipient_id = m.recipient_id AND s.is_active ' +
      `JOIN chat_users u ON u.id = s.user_id WHERE ${WITHIN} AND m.topic_id IS NULL AND ${PEOPLE}; ` +
      `SELECT ${COLUMNS} FROM chat_messages m JOIN chat_flags f ON f.message_id = m.id AND f.flag = ? ` +
      // Ids of messages are only unique in an organisation.
      'JOIN chat_users u ON u.id = f.user_id AND u.realm_id = m.realm_id ' +
      `WHERE ${WITHIN} AND m.topic_id IS NOT NULL AND ${PEOPLE}`,
    [...within, FLAGS.mentioned, ...within],
  )) as [[CandidateRow[], CandidateRow[]]];
  return [...privately, ...mentions].map((row) => ({
    realmId,
    userId: row.user_id,
    id: row.id,
    recipientId: row.recipient_id,
    topicId: row.topic_id,
    senderId: row.sender_id,
    traits: row.traits,
    sentAt: row.sent_at,
    settings: JSON.parse(row.settings) as StoredSettings,
  }));
}

const MOST_ROWS = 2000;

export async function insert(db: Knex, missed: readonly Missed[]): Promise<void> {
  const rows = missed.map(({ realmId, userId, id, recipientId, topicId, senderId, sentAt }) => ({
    realm_id: realmId,
    user_id: userId,
    message_id: id,
    recipient_id: recipientId,
    topic_id: topicId,
    sender_id: senderId,
    sent_at: sentAt,
  }));
  for (let start = 0; start < rows.length; start += MOST_ROWS) {
    await db('chat_missed_messages')
      .insert(rows.slice(start, start + MOST_ROWS))
      .onConflict()
      .ignore();
  }
}

/** Users who missed something before this time, those first who wait longest. */
export async function dueUsers(db: Knex, before: number, limit: number): Promise<UserId[]> {
  return (await db('chat_missed_messages')
    .where('sent_at', '<=', before)
    .groupBy('user_id')
    .orderByRaw('MIN(sent_at)')
    .limit(limit)
    .pluck('user_id')) as UserId[];
}

/** Everything that a user missed, oldest first. */
export async function ofUser(db: Knex, userId: UserId, limit: number): Promise<Missed[]> {
  const rows = (await db('chat_missed_messages')
    .where({ user_id: userId })
    .orderBy('message_id')
    .limit(limit)
    .select('*')) as (Omit<CandidateRow, 'settings'> & { realm_id: RealmId; message_id: number })[];
  return rows.map((row) => ({
    realmId: row.realm_id,
    userId,
    id: row.message_id,
    recipientId: row.recipient_id,
    topicId: row.topic_id,
    senderId: row.sender_id,
    traits: 0,
    sentAt: row.sent_at,
  }));
}

export async function remove(db: Knex, userId: UserId, ids: readonly number[]): Promise<void> {
  await db('chat_missed_messages').where({ user_id: userId }).whereIn('message_id', ids).delete();
}
