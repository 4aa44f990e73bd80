/** Finds the user that a field of a body names: of the same company, or the body is refused. */
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

/** What is empty names nobody, and what stood there before may stay, even if that user has been removed since. */
export async function ensureUser(
  db: Database,
  companyId: CompanyId,
  { field, id, before = '' }: { field: string; id: string | undefined; before?: string },
): Promise<void> {
  if (id && id !== before) await findUser(db, companyId, { field, id });
}
