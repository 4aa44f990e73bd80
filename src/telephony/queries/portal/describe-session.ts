/** Describes the session to the portal: who is signed in, or how to sign in. */
import type { Storage } from '../../../kernel/kernel';
import { pageTokenOf } from '../../../kernel/sessions/page-session';
import type { PortalSession, SignedInPortal } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { isForDevelopment } from '../../settings';
import { noContact } from '../../model/faults';
import type { OpenedBy } from '../../model/portal/portal';
import type { Telephony } from '../../parts';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';

type Parts = Pick<Telephony, 'mailer' | 'mysql' | 'settings'>;

/** Development servers have few users, and a longer list would not help. */
const MAX_DEMO_CONTACTS = 20;

export async function describeSession(
  { mysql, secrets, mailer }: Storage & Pick<Telephony, 'mailer'>,
  by: Caller,
  { token, openedBy }: { readonly token: string; readonly openedBy: OpenedBy },
): Promise<SignedInPortal> {
  const [contact, company, passwordHash] = await Promise.all([
    contacts.byId(mysql, by.companyId, by.contactId),
    companies.byId(mysql, by.companyId),
    passwords.hashOf(mysql, by.contactId),
  ]);
  // Deleted since the session was checked.
  if (!contact || !company) throw noContact();
  return {
    signed_in: true,
    token: pageTokenOf(secrets, token),
    contact_id: contact.id,
    first_name: contact.firstName,
    last_name: contact.lastName,
    email: contact.workEmail,
    is_owner: by.isOwner,
    has_password: passwordHash !== null,
    opened_by: openedBy,
    company: { id: company.id, name: company.name },
    sends_mail: mailer.mode !== 'off',
  };
}

export async function describeSignIn({ mysql, mailer, settings }: Parts): Promise<PortalSession> {
  const demo = isForDevelopment(settings) ? await contacts.some(mysql, MAX_DEMO_CONTACTS) : undefined;
  return { signed_in: false, sends_mail: mailer.mode !== 'off', ...(demo ? { demo_contacts: demo } : {}) };
}
