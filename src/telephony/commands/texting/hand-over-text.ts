/** Sends one text to its carrier and records the result. Never sends again while the outcome of a call is unknown. */
import type { Storage } from '../../../kernel/kernel';
import { done, retry, postponed, type Ending } from '../../../kernel/mailbox/ending';
import { WRITTEN, type Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Keyspace } from '../../../kernel/redis/connections';
import { breakerOf, type Breaker } from '../../actors/breaker';
import { carrierCalls } from '../../actors/mailboxes';
import { CarrierAccessRefused, CarrierError, type Carrier, type Sent } from '../../carriers/carrier';
import { carrierNamed } from '../../carriers/carriers';
import { companyTenant } from '../../model/companies/company';
import { webhookPath, type CarrierAccount } from '../../model/texting/carrier-account';
import type { SendError, SendId, TextToSend } from '../../model/texting/texting';
import type { Telephony } from '../../parts';
import * as accounts from '../../store/texting/carrier-accounts';
import * as calls from '../../store/texting/carrier-calls';
import * as sends from '../../store/texting/text-sends';
import { fileAddresses } from './media';
import { dedupeKeyOf } from './receive-carrier-call';
import { recordOutcome } from './record-receipt';

type Parts = Storage & Keyspace & Pick<Telephony, 'jobs' | 'log' | 'pause' | 'settings' | 'textsUnderWay'>;

interface Parcel {
  readonly telephony: Storage & Keyspace & Pick<Telephony, 'jobs' | 'log' | 'pause' | 'settings'>;
  readonly turn: MailTurn;
  readonly text: sends.Outbound;
  readonly account: CarrierAccount;
  readonly carrier: Carrier;
}

/** Throws Crowded while this process has too many texts of the same account in flight. */
export async function sendWaitingText(telephony: Parts, turn: MailTurn, mail: Mail<TextToSend>): Promise<Ending> {
  const text = await sends.outbound(turn.kernel.mysql, mail.body.sendId);
  // The carrier already has it, or it was cancelled.
  if (!text) return done();
  const account = { caller: text.carrierAccountId, address: '' };
  return telephony.textsUnderWay.through(account, () => handOver(telephony, turn, text, mail));
}

export async function handOver(
  telephony: Storage & Keyspace & Pick<Telephony, 'jobs' | 'log' | 'pause' | 'settings'>,
  turn: MailTurn,
  text: sends.Outbound,
  { attempts, ageMs }: Pick<Mail<TextToSend>, 'attempts' | 'ageMs'>,
): Promise<Ending> {
  const { mysql, secrets } = turn.kernel;
  const account = await accounts.byId(mysql, secrets, text.carrierAccountId);
  if (!account) return fail(text.id, { code: 'no_account', detail: 'The account with the carrier was removed' });
  const parcel: Parcel = { telephony, turn, text, account, carrier: carrierNamed(account.carrier) };
  if (text.calledMsAgo !== null && !parcel.carrier.isRepeatable) return awaitReceipt(parcel, text.calledMsAgo);
  if (attempts > 0 && ageMs > telephony.settings.carrierGiveUpMs) return giveUp(text.id, 'No carrier took it in time');
  return call(parcel);
}

/** The carrier was called with unknown outcome. A receipt may still tell; sending again could send twice. */
async function awaitReceipt({ telephony, turn, text, account }: Parcel, calledMsAgo: number): Promise<Ending> {
  const overdueMs = calledMsAgo - telephony.settings.carrierUnknownMs;
  // If all workers were down, the receipt may be among the unread calls.
  if (overdueMs < 0 || (await calls.isUnread(turn.kernel.mysql, account.id, overdueMs))) return later(turn);
  return fail(text.id, {
    code: 'unknown_outcome',
    detail: 'The carrier did not say whether it took the text; it may have been sent',
  });
}

/** Postponed briefly, because neither a receipt nor a closing breaker wakes the mailbox. */
const later = ({ kernel }: MailTurn): Ending => postponed(null, kernel.settings.sweepAfterMs);

const fail = (id: SendId, error: SendError): Ending =>
  done({ write: ({ db }) => recordOutcome(db, id, { carrierMessageId: '', status: 'failed', error }) });

export const giveUp = (id: SendId, detail: string): Ending => fail(id, { code: 'gave_up', detail });

const isTrouble = (error: unknown): boolean => error instanceof CarrierError && error.trouble !== 'refused';

const isFailing = (error: unknown): boolean => isTrouble(error) || error instanceof CarrierAccessRefused;

async function call(parcel: Parcel): Promise<Ending> {
  const { turn, text, account, carrier } = parcel;
  const { settings } = parcel.telephony;
  const address = { tenant: companyTenant(text.companyId), kind: 'carrier', id: account.id } as const;
  const breaker = breakerOf(parcel.telephony, address, { ...settings, isTrouble, isFailing });
  if ((await breaker.openForMs()) > 0) return later(turn);
  const mediaUrls = await fileAddresses(parcel.telephony, settings, text);
  // The fence: a worker that outlived its lease sends nothing, nor does one whose text was cancelled meanwhile.
  if (!(await turn.commit(({ db }) => begin(db, text.id)))) return done();
  try {
    const webhookUrl = `${settings.publicUrl.replace(/\/+$/, '')}${webhookPath('texting', account)}`;
    const sent = await carrier.send(account, { ...text, mediaUrls, webhookUrl }, settings.carrierCallMs);
    // The carrier has the text but nothing is recorded yet: the worst moment to crash.
    await parcel.telephony.pause('mid-call');
    return await finish(parcel, breaker, sent);
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    await breaker.note(error);
    return notTaken(parcel, error);
  }
}

async function begin(db: Parameters<typeof recordOutcome>[0], id: SendId): Promise<boolean> {
  if ((await recordOutcome(db, id, { carrierMessageId: '', status: 'sending' })) === 'over') return false;
  await sends.noteCall(db, id);
  return true;
}

/** Not fenced: the carrier has taken the text, no matter which worker holds the lease by now. */
async function finish({ telephony, text, account }: Parcel, breaker: Breaker, sent: Sent): Promise<Ending> {
  const { carrierMessageId, segments, calls: own = [] } = sent;
  const hasWaiting = await telephony.transaction(async ({ db }) => {
    if (own.length > 0) {
      const rows = own.map(({ id, body }) => ({ about: 'texting' as const, url: '', body, eventId: id }));
      await calls.insert(
        db,
        rows.map(({ eventId, ...row }) => ({ ...row, accountId: account.id, dedupeKey: dedupeKeyOf(row, eventId) })),
      );
    }
    await recordOutcome(db, text.id, { carrierMessageId, status: 'sent', segments });
    // Receipts may have arrived before the carrier's answer.
    return calls.release(db, account.id, carrierMessageId);
  });
  if (hasWaiting || own.length > 0) {
    carrierCalls.at(companyTenant(account.companyId), account.id).send(telephony.jobs, WRITTEN);
  }
  // After the commit, which must not wait for Redis.
  await breaker.note(undefined);
  return done();
}

function notTaken({ turn, text, account, carrier }: Parcel, { trouble, code, message }: CarrierError): Ending {
  if (trouble === 'refused') return fail(text.id, { code, detail: message });
  turn.kernel.log.warn({ send: text.id, account: account.id, trouble, code }, 'a call to a carrier failed');
  if (trouble !== 'later' && !carrier.isRepeatable) return later(turn);
  return retry(message, { write: ({ db }) => sends.forgetCall(db, text.id) });
}
