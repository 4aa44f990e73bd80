/** Records what became of a text that was sent. What comes late, twice or out of order never takes a status back. */
import type { Kernel } from '../../../kernel/kernel';
import { hasten } from '../../../kernel/mailbox/own-mail';
import type { Tx } from '../../../kernel/mysql/transaction';
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
 * Unknown: no text of ours has this name yet; it may get it in a moment. Stale: as much was known already. Over: it was
 * delivered, or it failed, or it was called off; whoever is about to send it need not.
 */
export type Recorded = 'recorded' | 'stale' | 'over' | 'unknown';

/** What a carrier says by itself, by its own name for the text. */
export function recordReceipt(kernel: Kernel, receipt: Receipt): Promise<Recorded> {
  const { carrierAccountId, carrierMessageId } = receipt;
  return kernel.transaction(async ({ db }) => {
    const key = { carrier_account_id: carrierAccountId, carrier_message_id: carrierMessageId };
    const send = await sends.textIdOf(db, key);
    return send ? recordIn(db, send, receipt) : 'unknown';
  });
}

/** What a carrier answered to being handed the text, or that somebody is about to hand it over. */
export async function recordOutcome(db: Tx['db'], id: SendId, outcome: SendOutcome): Promise<Recorded> {
  const send = await sends.textIdOf(db, { id });
  return send ? recordIn(db, send, outcome) : 'unknown';
}

/** Texts of a company that wait to be sent need not be any more. What waits behind them goes on. */
export async function cancelSends(tx: Tx, companyId: CompanyId, which: sends.Waiting, error: SendError): Promise<void> {
  const found = await sends.waiting(tx.db, companyId, which);
  for (const send of found) await recordIn(tx.db, send, { carrierMessageId: '', status: 'failed', error });
  for (const address of new Set(found.map(({ conversationId }) => conversationId))) {
    await hasten(tx, textsToSend, { tenant: companyTenant(companyId), address });
  }
}

/** Until a carrier has named a text, it is ours to call off; what it took all the same goes on as the carrier says. */
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
  // What is known by now may still lack its name.
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
