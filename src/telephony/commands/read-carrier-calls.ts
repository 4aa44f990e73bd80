/** Reads what an account's carrier told us, in the order it came: texts and faxes are taken in, receipts recorded. */
import { withLease } from '../../kernel/actor/lease';
import { Fault } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { CarrierNonsense, type CarrierNews } from '../carriers/carrier';
import { carrierNamed } from '../carriers/carriers';
import type { CarrierReading } from '../jobs';
import type { CarrierAccount } from '../model/carrier-account';
import { companyTenant } from '../model/company';
import type { Telephony } from '../parts';
import * as accounts from '../store/carrier-accounts';
import * as calls from '../store/carrier-calls';
import * as faxes from '../store/faxes';
import * as tries from '../store/send-tries';
import { textIdOf } from '../store/text-sends';
import { takeFaxCall } from './receive-fax';
import { receiveText } from './receive-text';
import { recordReceipt } from './record-receipt';

/** Then another account's turn comes. */
const MOST_IN_A_TURN = 200;
/** About an hour in all; a database that is away does not count. */
const MOST_ATTEMPTS = 12;
const BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 600_000;

export async function readCallsOf(kernel: Kernel, accountId: string, signal: AbortSignal): Promise<void> {
  const account = await accounts.byId(kernel.mysql, kernel.secrets, accountId);
  if (!account) return calls.buryAll(kernel.mysql, accountId, 'The account was removed');
  const address = { tenant: companyTenant(account.companyId), kind: 'carrier-calls', id: account.id };
  await withLease(kernel, address, async (lost) => {
    for (const call of await calls.due(kernel.mysql, account.id, MOST_IN_A_TURN)) {
      if (signal.aborted || lost.aborted) return;
      await readOne(kernel, account, call);
    }
  });
}

/** More has come, or was left: the next turn is asked for once this one is over. */
export async function nudgeIfDue({ kernel, callReaders }: Telephony, reading: CarrierReading): Promise<void> {
  const { accountId: id, companyId } = reading;
  if (await calls.isDue(kernel.mysql, id)) callReaders.wake({ id, companyId });
}

async function readOne(kernel: Kernel, account: CarrierAccount, call: calls.StoredCall): Promise<void> {
  const { mysql, log } = kernel;
  try {
    const awaited = await takeCall(kernel, account, call);
    if (awaited !== undefined) return await putOffUntilKnown(kernel, call, awaited);
    await calls.finish(mysql, call.id);
  } catch (error) {
    const isFinal = error instanceof CarrierNonsense || (error instanceof Fault && error.kind !== 'unavailable');
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ call: call.id, account: account.id, reason, isFinal }, 'a call of a carrier could not be read');
    if (isFinal || call.attempts + 1 >= MOST_ATTEMPTS) await calls.bury(mysql, call.id, reason);
    else await calls.putOff(mysql, call.id, { error: reason, afterMs: backoff(call.attempts) });
  }
}

const backoff = (attempts: number): number => Math.min(BACKOFF_MS * 2 ** attempts, LONGEST_BACKOFF_MS);

/** The name of the text or fax that has to be known first, if so. */
async function takeCall(kernel: Kernel, account: CarrierAccount, call: calls.StoredCall): Promise<string | undefined> {
  if (call.about === 'fax') return takeFaxCall(kernel, account, call);
  for (const news of carrierNamed(account.carrier).read(call)) {
    const awaited = await take(kernel, account, news);
    if (awaited !== undefined) return awaited;
  }
  return undefined;
}

async function take(
  kernel: Kernel,
  { id: carrierAccountId }: CarrierAccount,
  news: CarrierNews,
): Promise<string | undefined> {
  if (news.kind === 'text') {
    const received = await receiveText(kernel, { ...news.text, carrierAccountId });
    if (typeof received === 'object') throw new CarrierNonsense(received.refused);
    return undefined;
  }
  const receipt = { ...news.receipt, carrierAccountId };
  if ((await recordReceipt(kernel, receipt)) !== 'unknown') return undefined;
  // The carrier's answer to the sending was lost, or is still on its way: but it says which of our texts it is.
  if (news.sendId !== undefined && (await tries.adopt(kernel.mysql, news.sendId, receipt))) {
    await recordReceipt(kernel, receipt);
    return undefined;
  }
  return receipt.carrierMessageId;
}

/** It overtook the answer to the sending, which gives the text its name. */
async function putOffUntilKnown(kernel: Kernel, call: calls.StoredCall, awaits: string): Promise<void> {
  const { mysql } = kernel;
  const error = `Nothing of ours is called ${awaits}`;
  if (call.attempts + 1 >= MOST_ATTEMPTS) return calls.bury(mysql, call.id, error);
  await calls.putOff(mysql, call.id, { error, afterMs: backoff(call.attempts), awaits });
  // It may have got its name just before we said that we wait for it.
  const key = { carrier_account_id: call.accountId, carrier_message_id: awaits };
  const isKnown = (await textIdOf(mysql, key)) || (await faxes.isKnown(mysql, call.accountId, awaits));
  if (isKnown) await calls.release(mysql, call.accountId, awaits);
}
