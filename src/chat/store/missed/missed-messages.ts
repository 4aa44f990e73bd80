/** Rows of chat_missed_messages, and the cursor up to which each organisation's messages were scanned. */
import type { Knex } from 'knex';
import type { Missed, MissedBy } from '../../model/missed/missed-messages';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import * as counters from '../counters';
import { insertMissing, readColumn } from '../rows';

/** Address prefixes: an organisation's messages are scanned, and a user's mailed. */
export const REALM = 'realm-';
export const USER = 'user-';

const TENANT = "CONCAT('chat:', realm_id)";

/** Finds organisations with messages not yet scanned. */
export const findBehind = (db: Knex): Knex.QueryBuilder =>
  counters
    .behind(db, 'chat_missed_cursors', 'noted_id')
    .select({ address: db.raw('CONCAT(?, SUBSTRING(counter.tenant, 6))', [REALM]), tenant: 'counter.tenant' });

/** The newest message of an organisation, and up to which it was scanned; undefined if nothing was scanned yet. */
export async function backlogOf(db: Knex, realmId: RealmId): Promise<{ head: number; notedId: number | undefined }> {
  const [[row]] = (await db.raw(
    'SELECT (SELECT noted_id FROM chat_missed_cursors WHERE realm_id = ?) AS noted, ' +
      '(SELECT record_number FROM kernel_counters WHERE tenant = ?) AS head',
    [realmId, realmTenant(realmId)],
  )) as [[{ noted: number | null; head: number | null }]];
  return { notedId: row.noted ?? undefined, head: row.head ?? 0 };
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
export const nextId = (db: Knex, realmId: RealmId, after: number): Promise<number | undefined> =>
  readColumn(db('chat_messages').where({ realm_id: realmId }).where('id', '>', after).orderBy('id'), 'id');

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
  await insertMissing(db, 'chat_missed_messages', rows);
}

/** Finds users who missed a message before this time, the longest waiting first. */
export const findDue = (db: Knex, before: number, limit: number): Knex.QueryBuilder =>
  db('chat_missed_messages')
    .where('sent_at', '<=', before)
    .groupBy('realm_id', 'user_id')
    .orderByRaw('MIN(sent_at)')
    .limit(limit)
    .select({ address: db.raw('CONCAT(?, user_id)', [USER]), tenant: db.raw(TENANT) });

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
