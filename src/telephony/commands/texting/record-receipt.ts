/** Records the delivery status of a sent text. Late, repeated or reordered receipts never move a status back. */
import { DUE_NOW } from '../../../kernel/mailbox/mailbox';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { textsToSend } from '../../actors/mailboxes';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import {
  isOver,
  mayFollow,
  statusOfAll,
  type Receipt,
  type SendError,
  type SendId,
  type SendOutcome,
  type TextId,
} from '../../model/texting/texting';
import * as sends from '../../store/texting/text-sends';

/**
 * Unknown: no text has this carrier id yet, but one may get it soon. Stale: nothing new. Over: delivered, failed or
 * cancelled, so it need not be sent.
 */
export type Recorded = 'recorded' | 'stale' | 'over' | 'unknown';

/** Records a receipt, found by the carrier's id of the text. */
export function recordReceipt(transaction: Transact, receipt: Receipt): Promise<Recorded> {
  const { carrierAccountId, carrierMessageId } = receipt;
  return transaction(async ({ db }) => {
    const key = { carrier_account_id: carrierAccountId, carrier_message_id: carrierMessageId };
    const send = await sends.textIdOf(db, key);
    return send ? recordIn(db, send, receipt) : 'unknown';
  });
}

/** Records the carrier's answer to a send, or that a send is about to begin. */
export async function recordOutcome(db: Tx['db'], id: SendId, outcome: SendOutcome): Promise<Recorded> {
  const send = await sends.textIdOf(db, { id });
  return send ? recordIn(db, send, outcome) : 'unknown';
}

/** Cancels queued texts of a company and wakes the texts behind them. */
export async function cancelSends(tx: Tx, companyId: CompanyId, which: sends.Waiting, error: SendError): Promise<void> {
  const found = await sends.waiting(tx.db, companyId, which);
  for (const send of found) await recordIn(tx.db, send, { carrierMessageId: '', status: 'failed', error });
  for (const address of new Set(found.map(({ conversationId }) => conversationId))) {
    textsToSend.at(companyTenant(companyId), address).send(tx, DUE_NOW);
  }
}

/** A text without a carrier id can be cancelled. If the carrier took it all the same, the carrier's status wins. */
function isNews(copy: sends.Send, { carrierMessageId, status }: SendOutcome): boolean {
  if (carrierMessageId === '') return copy.carrierMessageId === null && mayFollow(copy.status, status);
  return mayFollow(copy.isCalledOff ? 'sending' : copy.status, status);
}

async function recordIn(
  db: Tx['db'],
  { id, textId }: { id: SendId; textId: TextId },
  outcome: SendOutcome,
): Promise<Recorded> {
  const copies = await sends.lockText(db, textId);
  const copy = copies.find((each) => each.id === id);
  if (!copy) return 'unknown';
  // A status that is not new may still bring the carrier's id.
  const isNameless = copy.carrierMessageId === null && outcome.carrierMessageId !== '';
  if (!isNews(copy, outcome)) {
    if (isNameless) await sends.nameSend(db, id, outcome.carrierMessageId);
    if (isOver(copy.status)) return 'over';
    return isNameless ? 'recorded' : 'stale';
  }
  await sends.advance(db, id, outcome);
  const status = statusOfAll(copies.map((each) => (each.id === id ? outcome.status : each.status)));
  if (status !== 'queued') await sends.advanceText(db, textId, { ...outcome, status });
  return 'recorded';
}
