/** Adds, renames and removes texting contacts, the people a company texts with. */
import { ensure } from '../../../kernel/fault';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { existing } from '../../model/faults';
import type { Caller } from '../../model/contacts/contact';
import type { EnteredNumber } from '../../model/texting/phone-number';
import { contactTaken, noTextingContact } from '../../model/texting/texting-faults';
import { textingContactObject } from '../../model/texting/texting-wire';
import * as contacts from '../../store/texting/texting-contacts';

export interface TextingContactDraft {
  readonly number: EnteredNumber;
  readonly firstName: string;
  readonly lastName: string;
}

/** A number that is known only because it texted us gets a name. */
export function createTextingContact(transaction: Transact, by: Caller, draft: TextingContactDraft): Promise<object> {
  return transaction(async ({ db }) => {
    const [made] = await contacts.ensureAll(db, by.companyId, [draft.number]);
    const known = await contacts.lockByNumber(db, by.companyId, draft.number.e164);
    const isNamed = known !== undefined && known.isRemoved === 0 && `${known.firstName}${known.lastName}` !== '';
    ensure(!isNamed, contactTaken(draft.number.e164));
    await contacts.update(db, made!.id, draft);
    return shown(db, by, made!.id);
  });
}

export async function updateTextingContact(
  transaction: Transact,
  by: Caller,
  { id, fields }: { id: string; fields: contacts.ContactFields },
): Promise<object> {
  try {
    return await transaction(async ({ db }) => {
      const before = existing(await contacts.lock(db, by.companyId, id), noTextingContact);
      await contacts.update(db, before.id, fields);
      return shown(db, by, id);
    });
  } catch (error) {
    if (isDuplicate(error) && fields.number) throw contactTaken(fields.number.e164);
    throw error;
  }
}

export function deleteTextingContact(transaction: Transact, by: Caller, id: string): Promise<object> {
  return transaction(async ({ db }) => {
    const contact = existing(await contacts.lock(db, by.companyId, id), noTextingContact);
    await contacts.remove(db, contact.id);
    return textingContactObject(contact);
  });
}

async function shown(db: Tx['db'], by: Caller, id: string): Promise<object> {
  const [contact] = await contacts.byIds(db, by.companyId, [id]);
  return textingContactObject(contact!);
}
