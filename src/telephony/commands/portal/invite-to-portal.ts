/** Creates a sign-in link for a company's owner or another contact. For operators. */
import type { Kernel } from '../../../kernel/kernel';
import type { CompanyId } from '../../model/companies/company';
import type { Contact } from '../../model/contacts/contact';
import { noContact } from '../../model/faults';
import { entryAddress } from '../../model/portal/portal';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';
import { makeEntryLink } from './entry-links';

export interface Invited {
  readonly companyId: CompanyId;
  /** Defaults to the owner. */
  readonly email: string | undefined;
}

export function inviteToPortal(
  kernel: Kernel,
  { companyId, email }: Invited,
  publicUrl: string,
): Promise<{ readonly contact: Contact; readonly link: string }> {
  return kernel.transaction(async ({ db }) => {
    const contact =
      email === undefined ? await contacts.primary(db, companyId) : await contacts.byEmail(db, companyId, email);
    if (!contact) throw noContact();
    const token = await makeEntryLink(kernel, db, { contactId: contact.id, purpose: 'invitation' });
    const by = { companyId, contactId: null, from: 'command line' };
    await audit.record(db, by, { action: 'contact.invite', object: contact.id });
    return { contact, link: entryAddress(publicUrl, token) };
  });
}
