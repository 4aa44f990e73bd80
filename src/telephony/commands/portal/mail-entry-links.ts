/** Asks for letters with links into the portal, and writes them. Who has an address is looked up when a letter is written. */
import { tenantOf } from '../../../kernel/actor/address';
import { LONGEST_EMAIL } from '../../../kernel/email-key';
import { ensure, Fault } from '../../../kernel/fault';
import { jobDelivery } from '../../../kernel/jobs/job';
import { MailRefused } from '../../../kernel/mail/letter';
import { sendPortalLetter, type PortalLetter } from '../../jobs';
import type { Caller, ContactId } from '../../model/contact';
import { noContact, notOwner } from '../../model/faults';
import { entryAddress } from '../../model/portal';
import { mailIsOff } from '../../model/portal-faults';
import { invitationLetter, signInLetter, type Way } from '../../model/portal-letters';
import type { Telephony } from '../../parts';
import * as audit from '../../store/audit';
import * as companies from '../../store/companies';
import * as contacts from '../../store/contacts';
import * as passwords from '../../store/passwords';
import { makeEntryLink } from './entry-links';

const TENANT = tenantOf('tel', 'portal');

/** The same answer whether anybody has the address or not. */
export async function requestEntryLinks({ kernel, mailer }: Telephony, email: string): Promise<void> {
  ensure(mailer.mode !== 'off', mailIsOff());
  if (email.length > LONGEST_EMAIL) return;
  const payload: PortalLetter = { purpose: 'sign-in', email, askedAt: kernel.clock.now().getTime() };
  await kernel.transaction(async (tx) => tx.deliver(jobDelivery(TENANT, sendPortalLetter, { payload })));
}

export async function mailInvitation({ kernel, mailer }: Telephony, by: Caller, id: string): Promise<void> {
  ensure(by.isOwner, notOwner());
  ensure(mailer.mode !== 'off', mailIsOff());
  const { companyId } = by;
  await kernel.transaction(async (tx) => {
    const contact = await contacts.lock(tx.db, companyId, id);
    if (!contact) throw noContact();
    await audit.record(tx.db, by, { action: 'contact.mail', object: contact.id });
    const askedAt = kernel.clock.now().getTime();
    const payload: PortalLetter = { purpose: 'invitation', companyId, contactId: contact.id, askedAt };
    tx.deliver(jobDelivery(TENANT, sendPortalLetter, { payload }));
  });
}

/** Longer than all attempts take together. */
const STALE_MS = 2 * 3_600_000;

/** The worker's end. */
export async function mailEntryLinks(telephony: Telephony, letter: PortalLetter): Promise<void> {
  if (telephony.kernel.clock.now().getTime() - letter.askedAt > STALE_MS) return;
  const written =
    letter.purpose === 'sign-in' ? await writeSignIn(telephony, letter) : await writeInvitation(telephony, letter);
  if (!written) return;
  try {
    await telephony.mailer.send({ ...written, headers: { 'Auto-Submitted': 'auto-generated' } });
  } catch (error) {
    // A Fault is not tried again.
    if (error instanceof MailRefused)
      throw new Fault('invalid', 'The mail server refused the letter', { cause: error });
    throw error;
  }
}

async function writeSignIn(telephony: Telephony, { email }: Extract<PortalLetter, { purpose: 'sign-in' }>) {
  const { mysql } = telephony.kernel;
  const found = await passwords.candidates(mysql, email);
  const [first] = found;
  // Never to the address as it was written: another mailbox may have a spelling that we take for the same.
  const contact = first && (await contacts.byId(mysql, first.companyId, first.contactId));
  if (!contact) return undefined;
  const ways: Way[] = [];
  for (const { contactId, companyName: company } of found) {
    ways.push({ company, link: await linkFor(telephony, contactId, 'sign-in') });
  }
  return { to: contact.workEmail, ...signInLetter(ways) };
}

async function writeInvitation(
  telephony: Telephony,
  { companyId, contactId }: Extract<PortalLetter, { purpose: 'invitation' }>,
) {
  const { mysql } = telephony.kernel;
  const [contact, company] = await Promise.all([
    contacts.byId(mysql, companyId, contactId),
    companies.byId(mysql, companyId),
  ]);
  if (!contact?.isActivated || !company) return undefined;
  const link = await linkFor(telephony, contact.id, 'invitation');
  return { to: contact.workEmail, ...invitationLetter({ company: company.name, link }, contact.firstName) };
}

async function linkFor(
  { kernel, settings }: Telephony,
  contactId: ContactId,
  purpose: PortalLetter['purpose'],
): Promise<string> {
  const token = await kernel.transaction(({ db }) => makeEntryLink(kernel, db, { contactId, purpose }));
  return entryAddress(settings.publicUrl, token);
}
