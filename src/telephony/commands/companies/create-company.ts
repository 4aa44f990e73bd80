/** Creates a company with its first API key, owner and location, in one transaction. */
import { newId, newSecret } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { KEY_LENGTH, noDetails, type CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import { companyNameTaken } from '../../model/faults';
import { checkNewEmail } from '../../model/fields';
import * as companies from '../../store/companies/companies';
import * as keys from '../../store/companies/keys';
import * as contacts from '../../store/contacts/contacts';
import * as sites from '../../store/sites/sites';

export interface CompanyDraft {
  readonly name: string;
  readonly email: string;
  readonly owner: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** Set only for demo data; otherwise generated. */
  readonly key?: string;
}

export interface CompanyMade {
  readonly id: CompanyId;
  readonly key: string;
  readonly ownerId: ContactId;
  readonly locationId: string;
}

export async function createCompany(kernel: Kernel, draft: CompanyDraft): Promise<CompanyMade> {
  checkNewEmail('owner_email', draft.owner.email);
  checkNewEmail('email', draft.email);
  const id = newId() as CompanyId;
  const ownerId = newId() as ContactId;
  const locationId = newId();
  const key = draft.key ?? newSecret(KEY_LENGTH);
  try {
    await kernel.transaction(async ({ db }) => {
      await companies.insert(db, { id, name: draft.name, details: { ...noDetails, email: draft.email } });
      await keys.insert(db, id, kernel.secrets.lookup(key));
      const { email: workEmail, firstName, lastName } = draft.owner;
      await contacts.insert(db, { id: ownerId, companyId: id, isPrimary: true, workEmail, firstName, lastName });
      await sites.insertLocation(db, { id: locationId, companyId: id, name: 'Main office' });
    });
  } catch (error) {
    if (isDuplicate(error)) throw companyNameTaken(draft.name);
    throw error;
  }
  return { id, key, ownerId, locationId };
}
