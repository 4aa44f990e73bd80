/** Finds the user that a body field names. Refuses the body if the user is not in the same company. */
import { ensure } from '../../../kernel/fault';
import type { CompanyId } from '../../model/companies/company';
import type { Contact } from '../../model/contacts/contact';
import { invalid } from '../../model/faults';
import * as contacts from '../../store/contacts/contacts';

type Database = Parameters<typeof contacts.byId>[0];

export interface Named {
  readonly field: string;
  readonly id: string;
}

export async function findUser(db: Database, companyId: CompanyId, { field, id }: Named): Promise<Contact> {
  const contact = await contacts.byId(db, companyId, id);
  ensure(contact !== undefined, invalid(`${field}: there is no such user in this company`));
  return contact;
}

/** Accepts an empty id, and the previous id even if that user has been deleted since. */
export async function ensureUser(
  db: Database,
  companyId: CompanyId,
  { field, id, before = '' }: { field: string; id: string | undefined; before?: string },
): Promise<void> {
  if (id && id !== before) await findUser(db, companyId, { field, id });
}
