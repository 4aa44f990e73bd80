/** Reads all that sending a text needs in one round trip. Each statement finds its rows by the conversation's id. */
import type { Knex } from 'knex';
import { send } from '../../../kernel/mysql/direct';
import type { Caller, ContactDetails } from '../../model/contacts/contact';
import type { Conversation, TextingContact } from '../../model/texting/conversation';
import type { E164 } from '../../model/texting/texting';
import { conversationOf, type ConversationRow } from './conversations';
import { numberOf, type Row as NumberRow, type TextNumber } from './text-numbers';
import { contactOf, type ContactRow } from './texting-contacts';
import { namedSo, sentBefore, type Row as TextRow, type SentBefore } from './texts';

export interface TextPlace {
  readonly conversation: Conversation;
  /** In order. Share-locked, so that an opt-out waits until this transaction ends. */
  readonly members: readonly TextingContact[];
  /** Members who opted out of texts from the conversation's number. */
  readonly refusing: readonly E164[];
  /** The conversation's number, if the company still owns it. */
  readonly number: TextNumber | undefined;
  /** The text already sent with the same stamp or idempotency key. */
  readonly before: SentBefore | undefined;
  /** The sender's timezone; empty if they set none. */
  readonly timezone: string;
}

/** Locks the row, so that texts are numbered one after the other. */
const LOCK = 'SELECT * FROM tel_conversations WHERE id = ? AND company_id = ? AND is_deleted = false FOR UPDATE';
const OURS = 'c.id = ? AND c.company_id = ? AND c.is_deleted = false';
const NUMBER =
  'SELECT n.* FROM tel_conversations AS c ' +
  `JOIN tel_text_numbers AS n ON n.e164 = c.from_number AND n.company_id = c.company_id WHERE ${OURS}`;
const MEMBERS =
  'SELECT k.* FROM tel_conversations AS c JOIN tel_conversation_members AS m ON m.conversation_id = c.id ' +
  `JOIN tel_texting_contacts AS k ON k.id = m.contact_id WHERE ${OURS} ORDER BY m.position LOCK IN SHARE MODE`;
/** Runs after the members are locked. */
const REFUSING =
  'SELECT o.their_number FROM tel_conversations AS c JOIN tel_conversation_members AS m ON m.conversation_id = c.id ' +
  'JOIN tel_texting_contacts AS k ON k.id = m.contact_id JOIN tel_opt_outs AS o ON o.company_id = c.company_id ' +
  `AND o.our_number = c.from_number AND o.their_number = k.number WHERE ${OURS} ORDER BY o.their_number`;
const SENDER = 'SELECT details FROM tel_contacts WHERE id = ? AND company_id = ?';

/** Locks the conversation's row. */
export async function lockPlace(
  db: Knex,
  by: Caller,
  draft: {
    readonly conversationId: string;
    readonly stampId: string | null;
    readonly idempotencyKey: string | undefined;
  },
): Promise<TextPlace | undefined> {
  const { conversationId } = draft;
  const ours = [conversationId, by.companyId];
  const all = [
    ...[LOCK, NUMBER, MEMBERS, REFUSING].map((sql) => ({ sql, bindings: ours })),
    { sql: SENDER, bindings: [by.contactId, by.companyId] },
    ...namedSo({ conversationId, senderId: by.contactId }, draft),
  ];
  const replies = await send(
    db,
    all.map(({ sql }) => sql).join('; '),
    all.flatMap(({ bindings }) => bindings),
  );
  const [locked, numbers, members, refusing, senders, ...named] = replies as [
    ConversationRow[],
    NumberRow[],
    ContactRow[],
    { their_number: E164 }[],
    { details: string }[],
    ...TextRow[][],
  ];
  if (!locked[0]) return undefined;
  const details = JSON.parse(senders[0]?.details ?? '{}') as Partial<ContactDetails>;
  return {
    conversation: conversationOf(locked[0]),
    members: members.map(contactOf),
    refusing: refusing.map(({ their_number: number }) => number),
    number: numbers[0] && numberOf(numbers[0]),
    before: sentBefore(named, draft),
    timezone: details.timezone ?? '',
  };
}
