/** Rows of tel_conversations and their members. A deleted one stays as a hidden row, as receipts may still arrive. */
import type { Knex } from 'knex';
import { groupBy } from '../../../kernel/group';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { CompanyId } from '../../model/companies/company';
import type { Conversation, TextingContact } from '../../model/texting/conversation';
import type { ConversationId } from '../../model/texting/texting';
import * as notes from './conversation-notes';
import { COLUMNS as CONTACT_COLUMNS } from './texting-contacts';

/** Of the table as `c`. */
export const COLUMNS: Readonly<Record<keyof Conversation, string>> = {
  id: 'c.id',
  companyId: 'c.company_id',
  type: 'c.conversation_type',
  name: 'c.name',
  fromNumber: 'c.from_number',
  contactId: 'c.contact_id',
  timezone: 'c.timezone',
  lastSeq: 'c.last_seq',
  inboundCount: 'c.inbound_count',
  hiddenCount: 'c.hidden_count',
  lastTextId: 'c.last_text_id',
  lastActivityAt: 'c.last_activity_at',
  createdAt: 'c.created_at',
  updatedAt: 'c.updated_at',
};

export interface NewConversation extends Pick<
  Conversation,
  'id' | 'companyId' | 'type' | 'name' | 'fromNumber' | 'timezone'
> {
  readonly members: readonly TextingContact[];
  readonly at: Date;
  /** Hash of the idempotency key, if there was one. */
  readonly origin?: string | undefined;
}

/** Does nothing if a conversation with these numbers or this key exists. The caller must look up which one it is. */
export async function insert(db: Knex, conversation: NewConversation): Promise<void> {
  const { id, companyId, type, name, fromNumber, timezone, at } = conversation;
  const contactId = conversation.members[0]!.id;
  const values = [id, companyId, type, name, fromNumber, contactId, type === 'direct' ? contactId : null, timezone];
  const origin = conversation.origin ?? null;
  await db.raw(
    `INSERT INTO tel_conversations (id, company_id, conversation_type, name, from_number, contact_id, direct_with,
       timezone, last_activity_at, created_at, updated_at, origin_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE id = tel_conversations.id`,
    [...values, at, at, at, origin],
  );
}

export async function insertMembers(db: Knex, { id, members: all }: NewConversation): Promise<void> {
  const rows = all.map((member, position) => ({ conversation_id: id, position, contact_id: member.id }));
  await db('tel_conversation_members').insert(rows);
}

const one = (db: Knex, which: object) => db('tel_conversations AS c').where(which).first(COLUMNS);
const live = (db: Knex, companyId: CompanyId, id: string) =>
  one(db, { 'c.id': id, 'c.company_id': companyId, 'c.is_deleted': false });

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<Conversation | undefined> {
  return (await live(db, companyId, id)) as Conversation | undefined;
}

/** Locks this conversation's row, so that its texts are numbered one after the other. */
export async function lock(db: Knex, companyId: CompanyId, id: string): Promise<Conversation | undefined> {
  return (await live(db, companyId, id).forUpdate()) as Conversation | undefined;
}

/** Locks the direct conversation of a pair of numbers. */
export async function lockDirect(
  db: Knex,
  { companyId, fromNumber, contactId }: Pick<Conversation, 'companyId' | 'fromNumber' | 'contactId'>,
): Promise<Conversation | undefined> {
  const pair = { company_id: companyId, from_number: fromNumber, direct_with: contactId };
  return (await one(db, pair).forUpdate()) as Conversation | undefined;
}

/** Locks the conversation that was created with this idempotency key. */
export async function lockByOrigin(db: Knex, origin: string): Promise<Conversation | undefined> {
  return (await one(db, { origin_hash: origin }).forUpdate()) as Conversation | undefined;
}

/** The members of each conversation, in order. */
export async function membersOf(
  db: Knex,
  ids: readonly ConversationId[],
): Promise<Map<ConversationId, TextingContact[]>> {
  if (ids.length === 0) return new Map();
  const rows = (await db('tel_conversation_members as m')
    .join('tel_texting_contacts as k', 'k.id', 'm.contact_id')
    .whereIn('m.conversation_id', ids)
    .orderBy(['m.conversation_id', 'm.position'])
    .select({ of: 'm.conversation_id', ...CONTACT_COLUMNS })) as (TextingContact & { of: ConversationId })[];
  return groupBy(rows, (row) => row.of);
}

const UPDATE =
  'UPDATE tel_conversations SET last_seq = ?, inbound_count = ?, hidden_count = ?, last_text_id = ?, timezone = ?, ' +
  'last_activity_at = ?, updated_at = ? WHERE id = ?';

/** The statement that stores the effect of a new text or of deletions. */
export function updating(conversation: Conversation): Statement {
  const { id, lastSeq, inboundCount, hiddenCount, lastTextId, timezone, lastActivityAt, updatedAt } = conversation;
  const counts = [lastSeq, inboundCount, hiddenCount];
  return { sql: UPDATE, bindings: [...counts, lastTextId, timezone, lastActivityAt, updatedAt, id] };
}

export async function isDeleted(db: Knex, id: ConversationId): Promise<boolean> {
  return (await db('tel_conversations').where({ id, is_deleted: true }).first('id')) !== undefined;
}

/** Its notes go with it. Afterwards a new conversation with the same person can be created. */
export async function remove(db: Knex, id: ConversationId, at: Date): Promise<void> {
  await notes.removeAll(db, id);
  await db('tel_conversations')
    .where({ id })
    .update({ is_deleted: true, direct_with: null, origin_hash: null, updated_at: at });
}
