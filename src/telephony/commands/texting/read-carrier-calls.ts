/** Processes the stored calls of a carrier account in order of arrival: stores texts and faxes, records receipts. */
import type { Kernel, Storage } from '../../../kernel/kernel';
import { dead, done, endingOf, retry, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import { each, type MailTurn } from '../../../kernel/mailbox/work';
import type { Database } from '../../../kernel/mysql/pool';
import { CarrierNonsense, type CarrierNews } from '../../carriers/carrier';
import { carrierNamed } from '../../carriers/carriers';
import type { CarrierAccount } from '../../model/texting/carrier-account';
import * as faxes from '../../store/files/faxes';
import * as accounts from '../../store/texting/carrier-accounts';
import { release, type StoredCall } from '../../store/texting/carrier-calls';
import { adopt, textIdOf } from '../../store/texting/text-sends';
import { takeFaxCall } from '../files/receive-fax';
import { receiveText } from './receive-text';
import { recordReceipt } from './record-receipt';

type Parts = Storage & Pick<Kernel, 'log'>;

const READ = done({ set: { awaits: null } });

/** Processes calls of one account. */
export async function readCalls(turn: MailTurn, mails: readonly Mail<StoredCall>[]): Promise<readonly Ending[]> {
  const { kernel, at } = turn;
  const account = await accounts.byId(kernel.mysql, kernel.secrets, at);
  if (!account) return mails.map(() => dead('The account was removed'));
  return each<StoredCall>((_turn, mail) => readOne(kernel, account, mail.body))(turn, mails);
}

async function readOne(kernel: Parts, account: CarrierAccount, call: StoredCall): Promise<Ending> {
  try {
    const awaited = await takeCall(kernel, account, call);
    return awaited === undefined ? READ : untilKnown(kernel.mysql, call, awaited);
  } catch (error) {
    kernel.log.warn({ err: error, call: call.id, account: account.id }, 'could not read a call from a carrier');
    return error instanceof CarrierNonsense ? dead(error.message) : endingOf(error);
  }
}

/** Returns the carrier's id of a text or fax that is not known yet, if the call must wait for it. */
async function takeCall(kernel: Storage, account: CarrierAccount, call: StoredCall): Promise<string | undefined> {
  if (call.about === 'fax') return takeFaxCall(kernel, account, call);
  for (const news of carrierNamed(account.carrier).read(call)) {
    const awaited = await take(kernel, account, news);
    if (awaited !== undefined) return awaited;
  }
  return undefined;
}

async function take(
  kernel: Storage,
  { id: carrierAccountId }: CarrierAccount,
  news: CarrierNews,
): Promise<string | undefined> {
  if (news.kind === 'text') {
    const received = await receiveText(kernel, { ...news.text, carrierAccountId });
    if (typeof received === 'object') throw new CarrierNonsense(received.refused);
    return undefined;
  }
  const receipt = { ...news.receipt, carrierAccountId };
  if ((await recordReceipt(kernel.transaction, receipt)) !== 'unknown') return undefined;
  // The carrier's answer to our send was lost or is late, but the receipt carries our own id.
  if (news.sendId !== undefined && (await adopt(kernel.mysql, news.sendId, receipt))) {
    await recordReceipt(kernel.transaction, receipt);
    return undefined;
  }
  return receipt.carrierMessageId;
}

/** The receipt overtook the answer to our send, which contains the carrier's id. Retried until that id is known. */
const untilKnown = (db: Database, { accountId }: StoredCall, awaits: string): Ending =>
  retry(`Nothing of ours is called ${awaits}`, {
    set: { awaits },
    // The id may have been recorded just before we recorded that we wait for it.
    async after() {
      const key = { carrier_account_id: accountId, carrier_message_id: awaits };
      const isKnown = (await textIdOf(db, key)) || (await faxes.isKnown(db, accountId, awaits));
      if (isKnown) await release(db, accountId, awaits);
    },
  });
