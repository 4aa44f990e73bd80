/** Rows of tel_send_tries: how often a carrier was called for a text, and whether its answer is still awaited. */
import type { Knex } from 'knex';
import type { CompanyId } from '../model/company';
import { rankOf, type ConversationId, type Receipt, type SendId } from '../model/texting';

export interface Tries {
  readonly tries: number;
  /** How long ago the carrier was called without our knowing how that ended; null where no call is open. */
  readonly calledMsAgo: number | null;
  /** Until it is to be tried again; zero or less: now. */
  readonly waitMs: number;
  readonly ageMs: number;
  readonly error: string | null;
}

const MICROSECONDS = 1000;
const LONGEST_ERROR = 500;

const msSince = (db: Knex, column: string) =>
  db.raw('TIMESTAMPDIFF(MICROSECOND, ??, NOW(3)) DIV ?', [column, MICROSECONDS]);

export async function of(db: Knex, sendId: SendId): Promise<Tries | undefined> {
  const row = (await db('tel_send_tries')
    .where({ send_id: sendId })
    .first('tries', 'error', {
      calledMsAgo: msSince(db, 'called_at'),
      lateMs: msSince(db, 'next_try_at'),
      ageMs: msSince(db, 'created_at'),
    })) as
    | { tries: number; error: string | null; calledMsAgo: number | null; lateMs: number; ageMs: number }
    | undefined;
  return row && { ...row, waitMs: -row.lateMs };
}

/** The carrier is about to be called: from here on nobody else may be sure that it was not. */
export async function begin(db: Knex, sendId: SendId): Promise<void> {
  const now = db.raw('NOW(3)');
  await db('tel_send_tries')
    .insert({ send_id: sendId, tries: 1, called_at: now, next_try_at: now, created_at: now })
    .onConflict('send_id')
    .merge({ tries: db.raw('tel_send_tries.tries + 1'), called_at: now });
}

/** To be tried again later. It is certain that the carrier did not take it, or that giving it again is harmless. */
export async function putOff(
  db: Knex,
  sendId: SendId,
  { error, afterMs }: { error: string; afterMs: number },
): Promise<void> {
  await db('tel_send_tries')
    .where({ send_id: sendId })
    .update({
      called_at: null,
      error: error.slice(0, LONGEST_ERROR),
      next_try_at: db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(afterMs) * MICROSECONDS]),
    });
}

export async function remove(db: Knex, sendId: SendId): Promise<void> {
  await db('tel_send_tries').where({ send_id: sendId }).delete();
}

/** The carrier says by itself which of our texts it took, though its answer was lost. Says whether that was news. */
export async function adopt(
  db: Knex,
  sendId: SendId,
  { carrierAccountId, carrierMessageId }: Pick<Receipt, 'carrierAccountId' | 'carrierMessageId'>,
): Promise<boolean> {
  const named = await db('tel_text_sends')
    .where({ id: sendId, carrier_account_id: carrierAccountId, carrier_message_id: null })
    .update({ carrier_message_id: carrierMessageId });
  if (named > 0) await remove(db, sendId);
  return named > 0;
}

/** Conversations with something to send that nobody was told of, or whose time has come again. */
export async function waitingConversations(
  db: Knex,
  forMs: number,
): Promise<{ companyId: CompanyId; conversationId: ConversationId }[]> {
  return (await db('tel_text_sends as s')
    .join('tel_conversations as c', 'c.id', 's.conversation_id')
    .leftJoin('tel_send_tries as y', 'y.send_id', 's.id')
    .where('s.status_rank', '<', rankOf('sent'))
    .whereNull('s.carrier_message_id')
    .where('s.updated_at', '<', db.raw('NOW(3) - INTERVAL ? MICROSECOND', [forMs * MICROSECONDS]))
    .where((due) => void due.whereNull('y.send_id').orWhere('y.next_try_at', '<=', db.raw('NOW(3)')))
    .distinct({ companyId: 'c.company_id', conversationId: 's.conversation_id' })
    .limit(1000)) as { companyId: CompanyId; conversationId: ConversationId }[];
}
