/** Lists a company's texting numbers, contacts and opt-outs. */
import type { Database } from '../../../kernel/mysql/pool';
import { existing } from '../../model/faults';
import type { Caller } from '../../model/contacts/contact';
import { offsetOf, type Listed, type Listing, type Page } from '../../model/paging';
import { noTextingContact } from '../../model/texting/texting-faults';
import { optOutObject, textingContactObject } from '../../model/texting/texting-wire';
import * as optOuts from '../../store/texting/opt-outs';
import * as numbers from '../../store/texting/text-numbers';
import * as contacts from '../../store/texting/texting-contacts';

export async function listTextNumbers(db: Database, by: Caller, page: Page): Promise<Listed<object>> {
  // A company has few numbers, so all are read.
  const found = await numbers.list(db, by.companyId);
  const items = found
    .slice(offsetOf(page), offsetOf(page) + page.size)
    .map(({ e164, companyId, label, createdAt }) => ({
      id: e164,
      number: e164,
      name: label,
      company_id: companyId,
      created_at: createdAt.toISOString(),
    }));
  return { total: found.length, items };
}

export async function listOptOuts(
  db: Database,
  by: Caller,
  query: Listing<optOuts.OptOutFilter>,
): Promise<Listed<object>> {
  const { total, items } = await optOuts.list(db, by.companyId, query);
  return { total, items: items.map(optOutObject) };
}

export async function listTextingContacts(
  db: Database,
  by: Caller,
  query: Listing<contacts.ContactFilter>,
): Promise<Listed<object>> {
  const { total, items } = await contacts.list(db, by.companyId, query);
  return { total, items: items.map(textingContactObject) };
}

export async function getTextingContact(db: Database, by: Caller, id: string): Promise<object> {
  return textingContactObject(existing((await contacts.byIds(db, by.companyId, [id]))[0], noTextingContact));
}
