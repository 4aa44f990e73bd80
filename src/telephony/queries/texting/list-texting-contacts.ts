/** Lists a company's texting contacts, and returns one. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import type { Listed, Page } from '../../model/paging';
import { noTextingContact } from '../../model/texting/texting-faults';
import { textingContactObject } from '../../model/texting/texting-wire';
import * as contacts from '../../store/texting/texting-contacts';

export async function listTextingContacts(
  { mysql }: Kernel,
  by: Caller,
  query: { filter: contacts.ContactFilter; page: Page },
): Promise<Listed<object>> {
  const [total, items] = await Promise.all([
    contacts.countMatching(mysql, by.companyId, query.filter),
    contacts.list(mysql, by.companyId, query),
  ]);
  return { total, items: items.map(textingContactObject) };
}

export async function getTextingContact({ mysql }: Kernel, by: Caller, id: string): Promise<object> {
  const [contact] = await contacts.byIds(mysql, by.companyId, [id]);
  if (!contact) throw noTextingContact();
  return textingContactObject(contact);
}
