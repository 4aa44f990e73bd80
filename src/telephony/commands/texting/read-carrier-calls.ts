/** Reads what an account's carrier told us, in the order it came: texts and faxes are taken in, receipts recorded. */
import type { Kernel } from '../../../kernel/kernel';
import { dead, done, endingOf, failed, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import { each, type MailTurn } from '../../../kernel/mailbox/work';
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

const READ = done({ set: { awaits: null } });

/** All of one account. */
export async function readCalls(turn: MailTurn, mails: readonly Mail<StoredCall>[]): Promise<readonly Ending[]> {
  const { kernel, at } = turn;
  const account = await accounts.byId(kernel.mysql, kernel.secrets, at);
  if (!account) return mails.map(() => dead('The account was removed'));
  return each<StoredCall>((_turn, mail) => readOne(kernel, account, mail.body))(turn, mails);
}

async function readOne(kernel: Kernel, account: CarrierAccount, call: StoredCall): Promise<Ending> {
  try {
    const awaited = await takeCall(kernel, account, call);
    return awaited === undefined ? READ : untilKnown(kernel, call, awaited);
  } catch (error) {
    kernel.log.warn({ err: error, call: call.id, account: account.id }, 'a call of a carrier could not be read');
    return error instanceof CarrierNonsense ? dead(error.message) : endingOf(error);
  }
}

/** The name of the text or fax that has to be known first, if so. */
async function takeCall(kernel: Kernel, account: CarrierAccount, call: StoredCall): Promise<string | undefined> {
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
  if (news.sendId !== undefined && (await adopt(kernel.mysql, news.sendId, receipt))) {
    await recordReceipt(kernel, receipt);
    return undefined;
  }
  return receipt.carrierMessageId;
}

/** It overtook the answer to the sending, which gives the text its name. */
const untilKnown = (kernel: Kernel, { accountId }: StoredCall, awaits: string): Ending =>
  failed(`Nothing of ours is called ${awaits}`, {
    set: { awaits },
    // It may have got its name just before we said that we wait for it.
    async after() {
      const key = { carrier_account_id: accountId, carrier_message_id: awaits };
      const isKnown = (await textIdOf(kernel.mysql, key)) || (await faxes.isKnown(kernel.mysql, accountId, awaits));
      if (isKnown) await release(kernel.mysql, accountId, awaits);
    },
  });
