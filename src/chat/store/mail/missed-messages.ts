/** Rows of chat_missed_messages, and the cursor up to which each organisation's messages were scanned. */
import type { Knex } from 'knex';
import type { MessageRef } from '../../model/reading/read-state';
import { FLAGS } from '../../model/messages/message';
import type { MissedBy } from '../../model/mail/missed-messages';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import { behind } from '../behind';

export interface Missed extends MessageRef {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** In Unix seconds. */
  readonly sentAt: number;
}

/** An organisation with messages not yet scanned. */
export interface Backlog {
  readonly realmId: RealmId;
  /** Undefined if nothing was scanned yet. */
  readonly notedId: number | undefined;
  readonly head: number;
}

export async function backlogs(db: Knex): Promise<Backlog[]> {
  const found = await behind(db, { table: 'chat_missed_cursors', column: 'noted_id' });
  return found.map(({ realmId, head, reached }) => ({ realmId, head, notedId: reached ?? undefined }));
}

/** The state of one organisation, even if it has no backlog. */
export async function backlogOf(db: Knex, realmId: RealmId): Promise<Backlog> {
  const [[row]] = (await db.raw(
    'SELECT (SELECT noted_id FROM chat_missed_cursors WHERE realm_id = ?) AS noted, ' +
      '(SELECT record_number FROM kernel_counters WHERE tenant = ?) AS head',
    [realmId, realmTenant(realmId)],
  )) as [[{ noted: number | null; head: number | null }]];
  return { realmId, notedId: row.noted ?? undefined, head: row.head ?? 0 };
}

/** Returns whether the cursor was still at `from`. */
export async function moveCursor(db: Knex, realmId: RealmId, from: number | undefined, to: number): Promise<boolean> {
  const at = { realm_id: realmId };
  // One row per organisation: a second insert is ignored.
  if (from === undefined)
    await db('chat_missed_cursors')
      .insert({ ...at, noted_id: 0 })
      .onConflict()
      .ignore();
  return (
    (await db('chat_missed_cursors')
      .where({ ...at, noted_id: from ?? 0 })
      .update({ noted_id: to })) === 1
  );
}

/** The first message after the id. Ids may jump far, for example after a restore. */
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
  /** Older messages are skipped; in Unix seconds. */
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

/** Users who received these messages privately, or who are mentioned in them. */
export async function candidates(db: Knex, { realmId, from, to, since }: Range): Promise<Candidate[]> {
  const within = [realmId, from, to, since];
  const [[privately, mentions]] = (await db.raw(
    `SELECT ${COLUMNS} FROM chat_messages m ` +
      'JOIN chat_subscriptions s ON s.recipient_id = m.recipient_id AND s.is_active ' +
      `JOIN chat_users u ON u.id = s.user_id WHERE ${WITHIN} AND m.topic_id IS NULL AND ${PEOPLE}; ` +
      `SELECT ${COLUMNS} FROM chat_messages m JOIN chat_flags f ON f.message_id = m.id AND f.flag = ? ` +
      // Message ids are unique only within an organisation.
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

const MAX_ROWS = 2000;

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
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    await db('chat_missed_messages')
      .insert(rows.slice(start, start + MAX_ROWS))
      .onConflict()
      .ignore();
  }
}

export interface DueUser {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

/** Users who missed a message before this time, the longest waiting first. */
export async function dueUsers(db: Knex, before: number, limit: number): Promise<DueUser[]> {
  return (await db('chat_missed_messages')
    .where('sent_at', '<=', before)
    .groupBy('realm_id', 'user_id')
    .orderByRaw('MIN(sent_at)')
    .limit(limit)
    .select({ realmId: 'realm_id', userId: 'user_id' })) as DueUser[];
}

/** Takes a user's missed messages, oldest first, if the oldest is due. Row locks keep others from taking them. */
export async function take(
  db: Knex,
  userId: UserId,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<Omit<MissedBy, 'userId'> | undefined> {
  const rows = (await db('chat_missed_messages')
    .where({ user_id: userId })
    .orderBy('message_id')
    .limit(limit)
    .forUpdate()
    .select({ realmId: 'realm_id', id: 'message_id', sentAt: 'sent_at' })) as Pick<
    Missed,
    'realmId' | 'id' | 'sentAt'
  >[];
  const [oldest] = rows;
  if (!oldest || oldest.sentAt > before) return undefined;
  const messageIds = rows.map(({ id }) => id);
  await db('chat_missed_messages').where({ user_id: userId }).whereIn('message_id', messageIds).delete();
  return { realmId: oldest.realmId, messageIds };
}
