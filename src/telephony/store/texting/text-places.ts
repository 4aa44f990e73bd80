/** Reads all that sending a text needs in one round trip. Each statement finds its rows by the conversation's id. */
import type { Knex } from 'knex';
import { send } from '../../../kernel/mysql/direct';
import type { Caller, ContactDetails } from '../../model/contacts/contact';
import type { Conversation, TextingContact } from '../../model/texting/conversation';
import type { CarrierAccountId, E164 } from '../../model/texting/texting';
import { selected } from '../reads';
import { COLUMNS as CONVERSATION } from './conversations';
import { COLUMNS as CONTACT } from './texting-contacts';
import { byClientKey, sentBefore, type Row as TextRow, type SentBefore } from './texts';

export interface TextPlace {
  readonly conversation: Conversation;
  /** In order. Share-locked, so that an opt-out waits until this transaction ends. */
  readonly members: readonly TextingContact[];
  /** Members who opted out of texts from the conversation's number. */
  readonly refusing: readonly E164[];
  /** The account of the conversation's number, if the company still owns it. */
  readonly carrierAccountId: CarrierAccountId | undefined;
  /** The text already sent with the same stamp or idempotency key. */
  readonly before: SentBefore | undefined;
  /** The sender's timezone; empty if they set none. */
  readonly timezone: string;
}

const OURS = 'c.id = ? AND c.company_id = ? AND c.is_deleted = false';
/** Locks the row, so that texts are numbered one after the other. */
const LOCK = `SELECT ${selected(CONVERSATION)} FROM tel_conversations AS c WHERE ${OURS} FOR UPDATE`;
const NUMBER =
  'SELECT n.carrier_account_id FROM tel_conversations AS c ' +
  `JOIN tel_text_numbers AS n ON n.e164 = c.from_number AND n.company_id = c.company_id WHERE ${OURS}`;
const MEMBERS =
  `SELECT ${selected(CONTACT)} FROM tel_conversations AS c ` +
  'JOIN tel_conversation_members AS m ON m.conversation_id = c.id ' +
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
    ...byClientKey({ conversationId, senderId: by.contactId }, draft),
  ];
  const replies = await send(
    db,
    all.map(({ sql }) => sql).join('; '),
    all.flatMap(({ bindings }) => bindings),
  );
  const [[conversation], [number], members, refusing, senders, ...named] = replies as [
    [Conversation?],
    [{ carrier_account_id: CarrierAccountId }?],
    TextingContact[],
    { their_number: E164 }[],
    { details: string }[],
    ...TextRow[][],
  ];
  if (!conversation) return undefined;
  const details = JSON.parse(senders[0]?.details ?? '{}') as Partial<ContactDetails>;
  return {
    conversation,
    members,
    refusing: refusing.map(({ their_number: number }) => number),
    carrierAccountId: number?.carrier_account_id,
    before: sentBefore(named, draft),
    timezone: details.timezone ?? '',
  };
}
