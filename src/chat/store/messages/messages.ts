/** Rows of chat_messages. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { Edit, Message, MessageId } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { readAll, readColumn } from '../rows';

export interface MessageRow {
  realm_id: number;
  id: number;
  recipient_id: number;
  topic_id: number | null;
  sender_id: number;
  topic: string;
  content: string;
  rendered: string;
  client: string;
  traits: number;
  sent_at: number;
  edited_at: number | null;
  edits: string | null;
  submessage_bytes: number | null;
}

export function messageOf(row: MessageRow): Message {
  return {
    realmId: row.realm_id as RealmId,
    id: row.id as MessageId,
    recipientId: row.recipient_id,
    topicId: row.topic_id,
    senderId: row.sender_id as UserId,
    topic: row.topic,
    content: row.content,
    rendered: row.rendered,
    client: row.client,
    traits: row.traits,
    sentAt: row.sent_at,
    editedAt: row.edited_at,
    edits: row.edits === null ? [] : (JSON.parse(row.edits) as Edit[]),
    submessageBytes: row.submessage_bytes ?? 0,
  };
}

export async function byIds(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<Message[]> {
  if (ids.length === 0) return [];
  return readAll(db('chat_messages').where({ realm_id: realmId }).whereIn('id', ids).orderBy('id'), messageOf);
}

/** For demo data, which spreads conversations over several days. */
export async function setSentAt(
  db: Knex,
  realmId: RealmId,
  { id, sentAt }: Pick<Message, 'id' | 'sentAt'>,
): Promise<void> {
  await db('chat_messages').where({ realm_id: realmId, id }).update({ sent_at: sentAt });
}

/** Bytes that each message takes in a response, as HTML or Markdown, including its edit history. */
export async function sizes(
  db: Knex,
  realmId: RealmId,
  ids: readonly number[],
  { wantsHtml }: { readonly wantsHtml: boolean },
): Promise<Map<number, number>> {
  const words = wantsHtml ? 'rendered' : 'content';
  const rows = (await db('chat_messages')
    .where({ realm_id: realmId })
    .whereIn('id', ids)
    .select('id', db.raw(`OCTET_LENGTH(${words}) + COALESCE(OCTET_LENGTH(edits), 0) AS bytes`))) as unknown as {
    id: number;
    bytes: number;
  }[];
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]));
}

export interface SizedMessages {
  /** Bytes of each existing message, as `sizes` counts them, plus its submessages. */
  readonly sizes: ReadonlyMap<number, number>;
  /** The messages that may fit the budget. */
  readonly messages: readonly Message[];
}

export interface Budget {
  readonly anchor: number;
  readonly bytes: number;
  readonly wantsHtml: boolean;
}

/**
 * Reads messages with their sizes, but without the content of those that cannot be sent. Bytes are summed outwards on
 * either side of the anchor. Beyond the budget only the nearest message is read, so at most two budgets are read.
 */
export function sizedRead(realmId: RealmId, ids: readonly number[], budget: Budget): Read<SizedMessages> {
  const { anchor, bytes, wantsHtml } = budget;
  const words = wantsHtml ? 'rendered' : 'content';
  return readOf(
    'SELECT f.id AS sized_id, f.bytes, m.* FROM (' +
      'SELECT z.id, z.bytes, SUM(z.bytes) OVER outwards AS total, ROW_NUMBER() OVER outwards AS place FROM (' +
      `SELECT id, OCTET_LENGTH(${words}) + COALESCE(OCTET_LENGTH(edits), 0) + COALESCE(submessage_bytes, 0) AS bytes, SIGN(CAST(id AS SIGNED) - ?) AS side ` +
      'FROM chat_messages WHERE realm_id = ? AND id IN (?)) z ' +
      'WINDOW outwards AS (PARTITION BY z.side ORDER BY z.side * CAST(z.id AS SIGNED))) f ' +
      'LEFT JOIN chat_messages m ON (f.total <= ? OR f.place = 1) AND m.realm_id = ? AND m.id = f.id ORDER BY f.id',
    [anchor, realmId, ids, bytes, realmId],
    (rows: readonly (MessageRow & { sized_id: number; bytes: number })[]) => ({
      sizes: new Map(rows.map((row) => [row.sized_id, Number(row.bytes)])),
      messages: rows.filter(({ id }) => id !== null).map(messageOf),
    }),
  );
}

export const byOrigin = (db: Knex, realmId: RealmId, origin: string): Promise<MessageId | undefined> =>
  readColumn(db('chat_messages').where({ realm_id: realmId, origin }), 'id');

/** The organisation's newest message; −1 if there is none. */
export const last = async (db: Knex, realmId: RealmId): Promise<number> =>
  (await readColumn(db('chat_messages').where({ realm_id: realmId }).orderBy('id', 'desc'), 'id')) ?? -1;
