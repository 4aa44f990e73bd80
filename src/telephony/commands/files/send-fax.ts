/** Sends a fax: queues it, a worker passes it to the carrier, and a receipt confirms delivery. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { dead, done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { faxCarrierNamed } from '../../carriers/fax';
import { carrierCalls, faxes as mailbox } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { invalid, noFaxLine } from '../../model/faults';
import { faxObject, type FaxId } from '../../model/files/fax';
import { isFilled } from '../../model/files/file';
import type { CarrierAccountId, E164 } from '../../model/texting/texting';
import type { Telephony } from '../../parts';
import * as accounts from '../../store/texting/carrier-accounts';
import * as calls from '../../store/texting/carrier-calls';
import * as faxes from '../../store/files/faxes';
import * as files from '../../store/files/files';
import * as numbers from '../../store/texting/text-numbers';
import { fileAddresses } from '../texting/media';
import { dedupeKeyOf } from '../texting/receive-carrier-call';

type Parts = Storage & Pick<Telephony, 'jobs' | 'pause' | 'settings'>;

export interface FaxDraft {
  readonly fileId: string;
  readonly to: E164;
  readonly toName: string;
  /** Defaults to the company's first number that can fax. */
  readonly from: E164 | undefined;
  readonly fromName: string;
  readonly subject: string;
  readonly pages: number;
}

export function sendFax(kernel: Storage, by: Caller, draft: FaxDraft): Promise<object> {
  return kernel.transaction(async (tx) => {
    const { db } = tx;
    const { companyId } = by;
    const { from, carrierAccountId } = await lineOf(kernel.secrets, tx, by, draft.from);
    const file = await files.lock(db, companyId, draft.fileId);
    ensure(file !== undefined, invalid(`file: there is no file ${draft.fileId} in this company`));
    ensure(isFilled(file), invalid('file: has no content yet'));
    const fax = {
      ...draft,
      id: newId() as FaxId,
      companyId,
      fileId: file.id,
      from,
      direction: 'outbound',
      status: 'queued',
      // The sender knows its content.
      isRead: true,
      carrierAccountId,
      createdAt: kernel.clock.now(),
    } as const;
    await faxes.insert(db, fax, null);
    mailbox.at(companyTenant(companyId), fax.id).send(tx, { faxId: fax.id });
    return faxObject({ ...fax, fileNumber: file.number });
  });
}

/** The requested number, or the first one, whose carrier supports faxes. */
async function lineOf(
  secrets: Secrets,
  { db }: Tx,
  by: Caller,
  wanted: E164 | undefined,
): Promise<{ from: E164; carrierAccountId: CarrierAccountId }> {
  for (const { e164, carrierAccountId } of await numbers.list(db, by.companyId)) {
    if (wanted !== undefined && e164 !== wanted) continue;
    const account = await accounts.byId(db, secrets, carrierAccountId);
    if (account && faxCarrierNamed(account.carrier)) return { from: e164, carrierAccountId };
  }
  throw noFaxLine();
}

/** Passes a fax to its carrier, in a worker. Repeatable, because the carrier recognises the fax by its id. */
export async function handOverFax(telephony: Parts, faxId: string): Promise<Ending> {
  const { settings } = telephony;
  const { mysql, secrets } = telephony;
  const fax = await faxes.toSend(mysql, faxId);
  if (!fax) return dropped('It was sent or deleted');
  const account = await accounts.byId(mysql, secrets, fax.carrierAccountId);
  const carrier = account && faxCarrierNamed(account.carrier);
  if (!carrier) return dead('There is no carrier for faxes any more');
  const fileIds = fax.fileId === null ? [] : [fax.fileId];
  const [fileUrl = ''] = await fileAddresses(telephony, settings, { companyId: fax.companyId, fileIds });
  const { carrierMessageId, calls: own = [] } = await carrier.send(fax, fileUrl);
  await telephony.pause('mid-call');
  const rows = own.map(({ id, body }) => {
    const row = { about: 'fax', url: '', body } as const;
    return { ...row, accountId: account.id, dedupeKey: dedupeKeyOf(row, id) };
  });
  return done({
    async write({ db }) {
      if (rows.length > 0) await calls.insert(db, rows);
      await faxes.finishSending(db, fax.id, { carrierMessageId });
      // Receipts may have arrived before the carrier's answer.
      await calls.release(db, account.id, carrierMessageId);
    },
    after: () => carrierCalls.at(companyTenant(account.companyId), account.id).send(telephony.jobs, WRITTEN),
  });
}

/** Marks the fax as failed when no carrier will take it. */
export const failFax = ({ db }: Tx, faxId: string, error: string): Promise<void> =>
  faxes.finishSending(db, faxId as FaxId, { error });
