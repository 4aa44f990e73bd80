/** Rows of tel_text_sends: one copy of a text per recipient, in the order of sending. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { CompanyId } from '../../model/companies/company';
import {
  isCalledOff,
  rankOf,
  type CarrierAccountId,
  type ConversationId,
  type E164,
  type OutboundText,
  type Receipt,
  type SendId,
  type SendOutcome,
  type SendStatus,
  type TextId,
} from '../../model/texting/texting';

export interface NewSends {
  readonly textId: TextId;
  readonly conversationId: ConversationId;
  readonly seq: number;
  readonly carrierAccountId: CarrierAccountId;
  /** One per number, in the same order. */
  readonly ids: readonly SendId[];
  readonly numbers: readonly E164[];
  readonly at: Date;
}

const INSERT =
  'INSERT INTO tel_text_sends (id, text_id, conversation_id, seq, position, to_number, carrier_account_id, status, ' +
  'status_rank, created_at, updated_at) VALUES';

export function insertion(sends: NewSends): Statement {
  const { textId, conversationId, seq, carrierAccountId, ids, numbers, at } = sends;
  const status: SendStatus = 'queued';
  const state = [carrierAccountId, status, rankOf(status), at, at];
  const rowOf = (number: E164, position: number) => [
    ids[position],
    textId,
    conversationId,
    seq,
    position,
    number,
    ...state,
  ];
  return {
    sql: `${INSERT} ${numbers.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    bindings: numbers.flatMap(rowOf),
  };
}

export interface Send {
  readonly id: SendId;
  readonly textId: TextId;
  readonly status: SendStatus;
  readonly carrierMessageId: string | null;
  readonly isCalledOff: boolean;
}

/** The text that a send belongs to. */
export async function textIdOf(
  db: Knex,
  which: { id: SendId } | { carrier_account_id: CarrierAccountId; carrier_message_id: string },
): Promise<Pick<Send, 'id' | 'textId'> | undefined> {
  return db('tel_text_sends').where(which).first({ id: 'id', textId: 'text_id' });
}

/** Locks a text and returns its copies. */
export async function lockText(db: Knex, textId: TextId): Promise<Send[]> {
  await db('tel_texts').where({ id: textId }).forUpdate().first('id');
  const rows = (await db('tel_text_sends').where({ text_id: textId }).orderBy('position').select({
    id: 'id',
    textId: 'text_id',
    status: 'status',
    carrierMessageId: 'carrier_message_id',
    errorCode: 'error_code',
  })) as (Send & { errorCode: string })[];
  return rows.map((send) => ({ ...send, isCalledOff: isCalledOff(send.status, send.errorCode) }));
}

const errorOf = ({ error }: SendOutcome) => ({
  error_code: (error?.code ?? '').slice(0, 50),
  error_detail: (error?.detail ?? '').slice(0, 500),
});

/** Moves the status forward. The caller has compared the ranks. */
export async function advance(db: Knex, id: SendId, outcome: SendOutcome): Promise<void> {
  const { carrierMessageId, status } = outcome;
  await db('tel_text_sends')
    .where({ id })
    .update({
      ...(carrierMessageId === '' ? {} : { carrier_message_id: carrierMessageId }),
      status,
      status_rank: rankOf(status),
      ...errorOf(outcome),
      updated_at: db.raw('NOW(3)'),
    });
}

/** Stores the carrier's id when it becomes known after the status. */
export async function nameSend(db: Knex, id: SendId, carrierMessageId: string): Promise<void> {
  await db('tel_text_sends').where({ id }).update({ carrier_message_id: carrierMessageId });
}

export async function advanceText(db: Knex, textId: TextId, outcome: SendOutcome): Promise<void> {
  const { status, segments } = outcome;
  await db('tel_texts')
    .where({ id: textId })
    // A text that failed may still advance: a cancelled copy may have been accepted by the carrier all the same.
    .where((earlier) => void earlier.where('status_rank', '<', rankOf(status)).orWhere({ status: 'failed' }))
    .update({ status, status_rank: rankOf(status), ...errorOf(outcome), updated_at: db.raw('NOW(3)') });
  if (segments !== undefined) await db('tel_texts').where({ id: textId }).update({ segments });
}

/** Selects pending sends to one number, in one conversation, or of some texts. */
export type Waiting =
  | { readonly conversationId: ConversationId }
  | { readonly textIds: readonly TextId[] }
  | { readonly from: E164; readonly to: E164 };

export type WaitingSend = Pick<OutboundText, 'id' | 'textId' | 'conversationId'>;

/** Sends that no carrier is known to have accepted, including those to be retried. */
export async function waiting(db: Knex, companyId: CompanyId, which: Waiting): Promise<WaitingSend[]> {
  const query = db('tel_text_sends as s').where('s.status_rank', '<', rankOf('sent')).whereNull('s.carrier_message_id');
  if ('conversationId' in which) void query.where('s.conversation_id', which.conversationId);
  else if ('textIds' in which) void query.whereIn('s.text_id', which.textIds);
  else {
    const conversations = db('tel_texting_contacts as k')
      .join('tel_conversation_members as m', 'm.contact_id', 'k.id')
      .join('tel_conversations as c', 'c.id', 'm.conversation_id')
      .where({ 'k.company_id': companyId, 'k.number': which.to, 'c.from_number': which.from })
      .select('c.id');
    void query.whereIn('s.conversation_id', conversations).where('s.to_number', which.to);
  }
  return (await query
    .orderBy(['s.seq', 's.position'])
    .select({ id: 's.id', textId: 's.text_id', conversationId: 's.conversation_id' })) as WaitingSend[];
}

export type Outbound = OutboundText & {
  /** How long ago the carrier was called with unknown outcome; null if no such call is open. */
  readonly calledMsAgo: number | null;
};

/** A text to send; undefined once a carrier has it or it was cancelled. */
export async function outbound(db: Knex, id: SendId): Promise<Outbound | undefined> {
  const row = (await db('tel_text_sends as s')
    .join('tel_texts as t', 't.id', 's.text_id')
    .join('tel_conversations as c', 'c.id', 's.conversation_id')
    .where('s.id', id)
    .where('s.status_rank', '<', rankOf('sent'))
    .whereNull('s.carrier_message_id')
    .first({
      id: 's.id',
      textId: 's.text_id',
      companyId: 't.company_id',
      conversationId: 's.conversation_id',
      carrierAccountId: 's.carrier_account_id',
      from: 'c.from_number',
      to: 's.to_number',
      text: 't.text',
      calledUsAgo: db.raw('TIMESTAMPDIFF(MICROSECOND, s.called_at, NOW(3))'),
    })) as (Outbound & { calledUsAgo: number | null }) | undefined;
  if (!row) return undefined;
  const { calledUsAgo, ...text } = row;
  const fileIds = (await db('tel_text_files')
    .where({ text_id: text.textId })
    .orderBy('position')
    .pluck('file_id')) as string[];
  return { ...text, fileIds, calledMsAgo: calledUsAgo === null ? null : calledUsAgo / 1000 };
}

/** Records that the carrier is about to be called. From here on the outcome may be unknown. */
export const noteCall = async (db: Knex, id: SendId): Promise<unknown> =>
  db('tel_text_sends')
    .where({ id })
    .update({ called_at: db.raw('NOW(3)') });

/** Clears the call, because the carrier certainly did not accept the text or a repeat is harmless. */
export const forgetCall = async (db: Knex, id: SendId): Promise<unknown> =>
  db('tel_text_sends').where({ id }).update({ called_at: null });

/** Stores the carrier's id from a receipt after its answer was lost. Returns whether it was new. */
export async function adopt(
  db: Knex,
  id: SendId,
  { carrierAccountId, carrierMessageId }: Pick<Receipt, 'carrierAccountId' | 'carrierMessageId'>,
): Promise<boolean> {
  const named = await db('tel_text_sends')
    .where({ id, carrier_account_id: carrierAccountId, carrier_message_id: null })
    .update({ carrier_message_id: carrierMessageId });
  return named > 0;
}
