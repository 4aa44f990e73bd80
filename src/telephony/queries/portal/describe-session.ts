/** Describes the session to the portal: who is signed in, or how to sign in. */
import { pageTokenOf } from '../../../kernel/sessions/page-session';
import type { PortalSession, SignedInPortal } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { isForDevelopment } from '../../model/portal/portal-settings';
import { noContact } from '../../model/faults';
import type { Telephony } from '../../parts';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';

/** Development servers have few users, and a longer list would not help. */
const MAX_DEMO_CONTACTS = 20;

export async function describeSession(
  { kernel, mailer }: Telephony,
  by: Caller,
  token: string,
): Promise<SignedInPortal> {
  const [contact, company, passwordHash] = await Promise.all([
    contacts.byId(kernel.mysql, by.companyId, by.contactId),
    companies.byId(kernel.mysql, by.companyId),
    passwords.hashOf(kernel.mysql, by.contactId),
  ]);
  // Deleted since the session was checked.
  if (!contact || !company) throw noContact();
  return {
    signed_in: true,
    token: pageTokenOf(kernel.secrets, token),
    contact_id: contact.id,
    first_name: contact.firstName,
    last_name: contact.lastName,
    email: contact.workEmail,
    is_owner: by.isOwner,
    has_password: passwordHash !== null,
    company: { id: company.id, name: company.name },
    sends_mail: mailer.mode !== 'off',
  };
}

export async function describeSignIn({ kernel, mailer, settings }: Telephony): Promise<PortalSession> {
  const demo = isForDevelopment(settings) ? await contacts.some(kernel.mysql, MAX_DEMO_CONTACTS) : undefined;
  return { signed_in: false, sends_mail: mailer.mode !== 'off', ...(demo ? { demo_contacts: demo } : {}) };
}
