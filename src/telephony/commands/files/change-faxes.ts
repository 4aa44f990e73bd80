/** Marks faxes as read, deletes faxes, and maintains the addresses that are notified of new faxes. */
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Caller } from '../../model/contacts/contact';
import { noDestination, noFax, existing } from '../../model/faults';
import { checkNewEmail } from '../../model/fields';
import { faxTag } from '../../model/push/push-news';
import { destinationObject, faxObject } from '../../model/files/fax';
import * as audit from '../../store/companies/audit';
import * as destinations from '../../store/files/fax-destinations';
import * as faxes from '../../store/files/faxes';
import { announceChange } from '../push/tell-devices';

export async function markFaxRead(kernel: Storage, by: Caller, id: string, isRead: boolean): Promise<object> {
  const fax = existing(await faxes.byId(kernel.mysql, by.companyId, id), noFax);
  await kernel.transaction(async (tx) => {
    await faxes.markRead(tx.db, fax.id, isRead);
    if (isRead) await announceChange(tx, by.companyId, faxTag(fax.id));
  });
  return faxObject({ ...fax, isRead });
}

/** The fax's file stays. */
export async function removeFax(kernel: Storage, by: Caller, id: string): Promise<object> {
  const fax = existing(await faxes.byId(kernel.mysql, by.companyId, id), noFax);
  await kernel.transaction(async (tx) => {
    const { db } = tx;
    await faxes.remove(db, fax.id);
    await announceChange(tx, by.companyId, faxTag(fax.id));
    await audit.record(db, by, { action: 'fax.delete', object: fax.id, detail: { from: fax.from, to: fax.to } });
  });
  return faxObject(fax);
}

export async function addDestination(db: Database, by: Caller, emails: readonly string[]): Promise<object> {
  for (const email of emails) checkNewEmail('emails', email);
  const destination = { id: newId(), companyId: by.companyId, emails };
  await destinations.insert(db, destination);
  return destinationObject(destination);
}

export async function changeDestination(
  db: Database,
  by: Caller,
  id: string,
  emails: readonly string[] | undefined,
): Promise<object> {
  const before = existing(await destinations.byId(db, by.companyId, id), noDestination);
  for (const email of emails ?? []) if (!before.emails.includes(email)) checkNewEmail('emails', email);
  const destination = { ...before, emails: emails ?? before.emails };
  await destinations.update(db, destination);
  return destinationObject(destination);
}

export async function removeDestination(db: Database, by: Caller, id: string): Promise<object> {
  const destination = existing(await destinations.byId(db, by.companyId, id), noDestination);
  await destinations.remove(db, by.companyId, id);
  return destinationObject(destination);
}
