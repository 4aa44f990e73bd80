/** The users of a company and their statuses. */
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Caller } from '../../model/contacts/contact';
import { statusObject } from '../../model/contacts/status';
import { noContact, existing } from '../../model/faults';
import type { Listed, Listing } from '../../model/paging';
import { contactObject } from '../../model/wire';
import * as contacts from '../../store/contacts/contacts';
import * as statuses from '../../store/contacts/statuses';
import * as extensions from '../../store/extensions/extensions';

export async function listContacts(
  { readFrom, clock }: Pick<Kernel, 'clock' | 'readFrom'>,
  by: Caller,
  query: Listing<contacts.ContactFilter>,
): Promise<Listed<object>> {
  return readFrom(async (db) => {
    const { total, items: found } = await contacts.list(db, by.companyId, query);
    const briefs = await extensions.briefs(
      db,
      found.map(({ id }) => id),
    );
    const now = clock.now();
    return { total, items: found.map((each) => contactObject(each, briefs.get(each.id) ?? null, now)) };
  });
}

export async function getContact({ mysql, clock }: Storage, by: Caller, id: string): Promise<object> {
  const contact = existing(await contacts.byId(mysql, by.companyId, id), noContact);
  const briefs = await extensions.briefs(mysql, [contact.id]);
  return contactObject(contact, briefs.get(contact.id) ?? null, clock.now());
}

/** More users than any known company has. Clients of larger ones can ask for the users on screen. */
const MAX = 1000;

export async function listStatuses(db: Database, by: Caller, ids: readonly string[] | undefined): Promise<object[]> {
  return (await statuses.list(db, by.companyId, { ids, most: MAX })).map(statusObject);
}
