/** Hands one text to its carrier, and records what came of it. Nothing is given twice whose outcome is not known. */
import type { TurnContext } from '../../kernel/actor/leased-turn';
import { breakerOf } from '../actors/breaker';
import { CarrierError, type Carrier, type Sent } from '../carriers/carrier';
import { carrierNamed } from '../carriers/carriers';
import { sendTexts } from '../jobs';
import { webhookPath, type CarrierAccount } from '../model/carrier-account';
import type { SendError } from '../model/texting';
import type { Telephony } from '../parts';
import * as accounts from '../store/carrier-accounts';
import * as calls from '../store/carrier-calls';
import * as tries from '../store/send-tries';
import type { NextOutbound } from '../store/text-sends';
import { fileAddresses } from './address-files';
import { samenessOf } from './receive-carrier-call';
import { recordOutcome } from './record-receipt';

/** Done: the next one's turn. Later: it waits, and so do those behind it. */
export type HandedOver = 'done' | 'later';

const BACKOFF_MS = 2000;
const LONGEST_BACKOFF_MS = 60_000;

interface Parcel {
  readonly telephony: Telephony;
  readonly turn: TurnContext;
  readonly text: NextOutbound;
  readonly account: CarrierAccount;
  readonly carrier: Carrier;
}

export async function handOver(telephony: Telephony, turn: TurnContext, text: NextOutbound): Promise<HandedOver> {
  const { mysql, secrets } = turn.kernel;
  const [account, before] = await Promise.all([
    accounts.byId(mysql, secrets, text.carrierAccountId),
    tries.of(mysql, text.id),
  ]);
  if (!account) return fail(turn, text, { code: 'no_account', detail: 'The account with the carrier was removed' });
  const parcel = { telephony, turn, text, account, carrier: carrierNamed(account.carrier) };
  if (before && before.calledMsAgo !== null && !parcel.carrier.isRepeatable)
    return awaitReceipt(parcel, before.calledMsAgo);
  if (before && before.waitMs > 0) return 'later';
  if (before && before.ageMs > telephony.settings.carrierGiveUpMs) {
    return fail(turn, text, { code: 'gave_up', detail: before.error ?? 'No carrier took it in time' });
  }
  return call(parcel, before?.tries ?? 0);
}

/** The carrier was called and nobody knows how that ended; a receipt may still tell. Sending again might send twice. */
async function awaitReceipt(parcel: Parcel, calledMsAgo: number): Promise<HandedOver> {
  const { telephony, turn, text, account } = parcel;
  const overdueMs = calledMsAgo - telephony.settings.carrierUnknownMs;
  // It may lie among what nobody has read yet, if all workers were away.
  if (overdueMs < 0 || (await calls.isUnread(turn.kernel.mysql, account.id, overdueMs))) return 'later';
  return fail(turn, text, {
    code: 'unknown_outcome',
    detail: 'The carrier did not say whether it took the text; it may have been sent',
  });
}

async function fail({ kernel }: TurnContext, { id }: NextOutbound, error: SendError): Promise<HandedOver> {
  await recordOutcome(kernel, id, { carrierMessageId: '', status: 'failed', error });
  await tries.remove(kernel.mysql, id);
  return 'done';
}

const isTrouble = (error: unknown): boolean => error instanceof CarrierError && error.trouble !== 'refused';

async function call(parcel: Parcel, triesBefore: number): Promise<HandedOver> {
  const { turn, text, account, carrier } = parcel;
  const { kernel, settings } = parcel.telephony;
  const breaker = breakerOf(kernel, { ...turn.address, kind: 'carrier', id: account.id }, { ...settings, isTrouble });
  if ((await breaker.openForMs()) > 0) return 'later';
  const mediaUrls = await fileAddresses(kernel, settings, text);
  // The fence: a worker that slept through its lease begins nothing.
  await turn.commit(({ db }) => tries.begin(db, text.id));
  // Called off in the meantime: deleted, or they opted out.
  if ((await recordOutcome(kernel, text.id, { carrierMessageId: '', status: 'sending' })) === 'over') {
    await tries.remove(kernel.mysql, text.id);
    return 'done';
  }
  try {
    const webhookUrl = `${settings.publicUrl.replace(/\/+$/, '')}${webhookPath('texting', account)}`;
    const sent = await carrier.send(account, { ...text, mediaUrls, webhookUrl }, settings.carrierCallMs);
    // The carrier has it and we have not written that down: the worst moment to die.
    await kernel.pause('mid-call');
    await breaker.note(undefined);
    return await finish(parcel, sent);
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    await breaker.note(error);
    return settle(parcel, error, triesBefore);
  }
}

async function finish({ telephony, text, account }: Parcel, sent: Sent): Promise<HandedOver> {
  const { kernel } = telephony;
  const { carrierMessageId, segments, calls: own = [] } = sent;
  // First: should we die before the text has its name, these wait for it.
  if (own.length > 0) {
    const rows = own.map(({ id, body }) => ({ about: 'texting' as const, url: '', body, eventId: id }));
    await calls.insert(
      kernel.mysql,
      rows.map(({ eventId, ...row }) => ({ ...row, accountId: account.id, sameness: samenessOf(row, eventId) })),
    );
  }
  await recordOutcome(kernel, text.id, { carrierMessageId, status: 'sent', segments });
  await tries.remove(kernel.mysql, text.id);
  // Receipts that overtook the carrier's answer.
  const hasWaiting = await calls.release(kernel.mysql, account.id, carrierMessageId);
  if (hasWaiting || own.length > 0) telephony.callReaders.wake(account.id);
  return 'done';
}

async function settle(parcel: Parcel, error: CarrierError, triesBefore: number): Promise<HandedOver> {
  const { turn, text, account, carrier } = parcel;
  const { kernel } = turn;
  if (error.trouble === 'refused') return fail(turn, text, { code: error.code, detail: error.message });
  kernel.log.warn({ send: text.id, account: account.id, trouble: error.trouble, code: error.code }, 'carrier failed');
  if (error.trouble === 'later' || carrier.isRepeatable) {
    const afterMs = Math.min(BACKOFF_MS * 2 ** triesBefore, LONGEST_BACKOFF_MS) * (0.75 + Math.random() / 2);
    await tries.putOff(kernel.mysql, text.id, { error: error.message, afterMs });
    await comeBack(turn, text, { afterMs, name: `retry-${text.id}-${triesBefore + 1}` });
  }
  return 'later';
}

/** A little late rather than early: a worker that comes too early leaves the text to the sweep. */
const LATE_MS = 50;

/** The sweep alone would come seconds later. It still does if Redis is away, or loses the job. */
async function comeBack(
  { kernel }: TurnContext,
  { companyId, conversationId }: NextOutbound,
  { afterMs, name }: { readonly afterMs: number; readonly name: string },
): Promise<void> {
  const order = { companyId, conversationId };
  await kernel.jobs.nudge(sendTexts, name, order, afterMs + LATE_MS).catch((error: Error) => {
    kernel.log.debug({ error, conversation: conversationId }, 'could not ask for a later try');
  });
}
