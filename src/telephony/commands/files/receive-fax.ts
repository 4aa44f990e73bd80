/** Processes carrier calls about faxes: stores each received fax once, with its pages, and records receipts. */
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { CHUNK_BYTES, pictureExtension, pictureType, safeName, safeType } from '../../../kernel/files/stored-file';
import { CarrierNonsense, type KeptCall } from '../../carriers/carrier';
import { faxCarrierNamed } from '../../carriers/fax';
import type { CarrierAccount } from '../../model/texting/carrier-account';
import type { CompanyId } from '../../model/companies/company';
import type { FaxId, InboundFax } from '../../model/files/fax';
import type { FileId } from '../../model/files/file';
import { readNumber } from '../../model/texting/phone-number';
import * as faxes from '../../store/files/faxes';
import * as files from '../../store/files/files';
import * as numbers from '../../store/texting/text-numbers';
import { announce } from '../push/tell-devices';

/** Returns the carrier's id of a fax that is not known yet, if the call must wait for it. */
export async function takeFaxCall(
  kernel: Storage,
  account: CarrierAccount,
  call: KeptCall,
): Promise<string | undefined> {
  const carrier = faxCarrierNamed(account.carrier);
  if (!carrier) throw new CarrierNonsense(`${account.carrier} carries no faxes here`);
  const news = carrier.read(call);
  if (news.kind === 'fax') {
    await receiveFax(kernel, account, news.fax);
    return undefined;
  }
  const { carrierMessageId, status, error } = news;
  const key = { accountId: account.id, carrierMessageId };
  return (await faxes.recordReceipt(kernel.mysql, key, { status, error })) ? undefined : carrierMessageId;
}

async function receiveFax(kernel: Storage, account: CarrierAccount, inbound: InboundFax): Promise<void> {
  const { companyId, id: carrierAccountId } = account;
  const { carrierMessageId, receivedAt: createdAt, ...facts } = inbound;
  const to = readNumber(inbound.to);
  const number = to && (await numbers.ofCompany(kernel.mysql, companyId, to));
  if (!number || number.carrierAccountId !== carrierAccountId) {
    throw new CarrierNonsense(`${inbound.to} is no number of this account`);
  }
  try {
    await kernel.transaction(async (tx) => {
      if (await faxes.isKnown(tx.db, carrierAccountId, carrierMessageId)) return;
      const fileId = await keepPages(tx, companyId, inbound);
      const state = { direction: 'inbound', status: 'received', isRead: false } as const;
      const fax = { id: newId() as FaxId, companyId, ...facts, ...state, fileId, carrierAccountId, createdAt };
      await faxes.insert(tx.db, fax, carrierMessageId);
      await announce(tx, companyId, { faxId: fax.id });
    });
  } catch (error) {
    // The same call arrived twice at once, and the other one stored the fax.
    if (!isDuplicate(error)) throw error;
  }
}

/** Stores the pages that came with the call, or records the URL at which the carrier keeps them. */
async function keepPages(tx: Tx, companyId: CompanyId, fax: InboundFax): Promise<FileId | null> {
  const { content, media, receivedAt } = fax;
  const blank = { companyId, userId: null, description: '', createdAt: receivedAt };
  if (content) {
    const { bytes } = content;
    const picture = pictureExtension(bytes);
    const mimetype = picture === undefined ? safeType(content.type) : pictureType(picture);
    const names = namesOf(content.name);
    const file = { ...blank, ...names, mimetype, size: bytes.length, sourceUrl: null, uploadedAt: receivedAt };
    const { id } = await files.insert(tx.db, { id: newId() as FileId, ...file });
    for (let place = 0; place * CHUNK_BYTES < bytes.length; place += 1) {
      await files.insertChunk(tx.db, id, place, bytes.subarray(place * CHUNK_BYTES, (place + 1) * CHUNK_BYTES));
    }
    return id;
  }
  if (!media) return null;
  const kept = { mimetype: safeType(media.contentType), size: 0, sourceUrl: media.url, uploadedAt: null };
  const file = { id: newId() as FileId, ...blank, ...namesOf(`fax from ${fax.from}`), ...kept };
  return (await files.insert(tx.db, file)).id;
}

const namesOf = (written: string) => ({ name: safeName(written), uploadedName: safeName(written) });
