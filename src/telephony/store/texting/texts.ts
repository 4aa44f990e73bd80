/** Rows of tel_texts. A deleted text stays as an empty row, so that a repeated call or request cannot bring it back. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { ContactId } from '../../model/contacts/contact';
import type { Text } from '../../model/texting/conversation';
import { rankOf, type CarrierAccountId, type ConversationId, type TextId } from '../../model/texting/texting';
import { selected } from '../reads';

export type Row = Omit<Text, 'error'> & {
  readonly errorCode: string;
  readonly errorDetail: string;
  readonly deletedAt: Date | null;
};

const COLUMNS: Readonly<Record<keyof Row, string>> = {
  id: 'id',
  companyId: 'company_id',
  conversationId: 'conversation_id',
  seq: 'seq',
  inboundSeq: 'inbound_seq',
  direction: 'direction',
  text: 'text',
  status: 'status',
  segments: 'segments',
  errorCode: 'error_code',
  errorDetail: 'error_detail',
  senderId: 'sender_id',
  stampId: 'stamp_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  deletedAt: 'deleted_at',
};

const textOf = ({ errorCode: code, errorDetail: detail, ...text }: Row): Text => ({
  ...text,
  error: text.status === 'failed' ? { code, detail } : null,
});

/** Identifies a repeated text: the client's idempotency key, or the carrier's id. */
export interface Origin {
  readonly idempotencyKey?: string | undefined;
  readonly carrierAccountId?: CarrierAccountId | undefined;
  readonly carrierMessageId?: string | undefined;
}

const INSERT =
  'INSERT INTO tel_texts (id, company_id, conversation_id, seq, inbound_seq, direction, text, status, status_rank, ' +
  'segments, sender_id, stamp_id, idempotency_key, carrier_account_id, carrier_message_id, created_at, updated_at) ' +
  'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

export function insertion(text: Text, origin: Origin): Statement {
  const { id, companyId, conversationId, seq, inboundSeq, direction, status, segments, senderId, stampId } = text;
  const place = [id, companyId, conversationId, seq, inboundSeq, direction];
  const content = [text.text, status, rankOf(status), segments, senderId, stampId];
  const { idempotencyKey = null, carrierAccountId = null, carrierMessageId = null } = origin;
  const same = [idempotencyKey, carrierAccountId, carrierMessageId];
  return { sql: INSERT, bindings: [...place, ...content, ...same, text.createdAt, text.updatedAt] };
}

export async function isKnown(db: Knex, account: CarrierAccountId, carrierMessageId: string): Promise<boolean> {
  const key = { carrier_account_id: account, carrier_message_id: carrierMessageId };
  return (await db('tel_texts').where(key).first('id')) !== undefined;
}

export interface SentBefore {
  readonly text: Text;
  readonly isDeleted: boolean;
  readonly by: 'stamp_id' | 'Idempotency-Key';
}

interface Names {
  readonly stampId: string | null;
  readonly idempotencyKey: string | undefined;
}

const SENT = `SELECT ${selected(COLUMNS)} FROM tel_texts WHERE conversation_id = ? AND sender_id = ? AND`;

/** The statements that find a user's earlier text with this idempotency key or stamp. */
export function byClientKey(
  { conversationId, senderId }: { conversationId: string; senderId: ContactId },
  { stampId, idempotencyKey }: Names,
): Statement[] {
  const mine = [conversationId, senderId];
  return [
    ...(idempotencyKey === undefined
      ? []
      : [{ sql: `${SENT} idempotency_key = ?`, bindings: [...mine, idempotencyKey] }]),
    ...(stampId === null ? [] : [{ sql: `${SENT} stamp_id = ?`, bindings: [...mine, stampId] }]),
  ];
}

/** The idempotency key takes precedence over the stamp. */
export function sentBefore(found: readonly (readonly Row[])[], { idempotencyKey }: Names): SentBefore | undefined {
  const place = found.findIndex((rows) => rows.length > 0);
  const row = found[place]?.[0];
  if (!row) return undefined;
  const by = place === 0 && idempotencyKey !== undefined ? 'Idempotency-Key' : 'stamp_id';
  return { text: textOf(row), isDeleted: row.deletedAt !== null, by };
}

const live = (db: Knex, id: ConversationId) => db('tel_texts').where({ conversation_id: id }).whereNull('deleted_at');

export async function byIds(db: Knex, conversationId: ConversationId, ids: readonly string[]): Promise<Text[]> {
  if (ids.length === 0) return [];
  const rows = (await live(db, conversationId).whereIn('id', ids).orderBy('seq').select(COLUMNS)) as Row[];
  return rows.map(textOf);
}

/** By their positions among the texts that came in. */
export const idsOfInbound = (db: Knex, id: ConversationId, seqs: readonly number[]): Promise<TextId[]> =>
  live(db, id).whereIn('inbound_seq', seqs).pluck('id');

/** The last texts of conversations, by text id. */
export async function lastOf(db: Knex, ids: readonly TextId[]): Promise<Map<TextId, Text>> {
  if (ids.length === 0) return new Map();
  const rows = (await db('tel_texts').whereIn('id', ids).select(COLUMNS)) as Row[];
  return new Map(rows.map((row) => [row.id, textOf(row)]));
}

/** The newest remaining text. */
export async function newest(db: Knex, conversationId: ConversationId): Promise<Text | undefined> {
  const [last] = await list(db, conversationId, { limit: 1, offset: 0 });
  return last;
}

export interface TextWindow {
  /** Only texts before this sequence number. */
  readonly before?: number | undefined;
  /** Only texts after this sequence number, starting with the next one. */
  readonly after?: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Forces the index, because MySQL would otherwise sort the whole conversation. */
const IN_ORDER = 'tel_texts FORCE INDEX (tel_texts_conversation_id_seq_unique)';

/** Newest first. */
export async function list(db: Knex, conversationId: ConversationId, window: TextWindow): Promise<Text[]> {
  const { before, after, limit, offset } = window;
  const follows = after !== undefined && before === undefined;
  const rows = (await live(db, conversationId)
    .from(db.raw(IN_ORDER))
    .modify((query) => {
      if (before !== undefined) void query.where('seq', '<', before);
      if (after !== undefined) void query.where('seq', '>', after);
    })
    .orderBy('seq', follows ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .select(COLUMNS)) as Row[];
  return (follows ? rows.reverse() : rows).map(textOf);
}

/** Some of the remaining texts, in no particular order. */
export async function someIds(db: Knex, conversationId: ConversationId, most: number): Promise<TextId[]> {
  return (await live(db, conversationId).limit(most).pluck('id')) as TextId[];
}

/** A text's position, even if it was deleted, because a client may page from it. */
export async function seqOf(db: Knex, conversationId: ConversationId, id: string): Promise<number | undefined> {
  const [seq] = (await db('tel_texts').where({ conversation_id: conversationId, id }).pluck('seq')) as number[];
  return seq;
}

export async function remove(db: Knex, ids: readonly TextId[], at: Date): Promise<void> {
  await db('tel_text_files').whereIn('text_id', ids).delete();
  await db('tel_texts').whereIn('id', ids).update({ text: '', deleted_at: at, updated_at: at });
}
