/** Asks for letters with links into the portal, and writes them. Who has an address is looked up when a letter is written. */
import { tenantOf } from '../../../kernel/actor/address';
import { LONGEST_EMAIL } from '../../../kernel/email-key';
import { ensure, Fault } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import { jobDelivery } from '../../../kernel/jobs/job';
import { MailRefused } from '../../../kernel/mail/letter';
import type { Tx } from '../../../kernel/mysql/transaction';
import { sendPortalLetter } from '../../jobs';
import type { Caller, ContactId } from '../../model/contact';
import { noContact, notOwner } from '../../model/faults';
import { entryAddress } from '../../model/portal';
import { mailIsOff } from '../../model/portal-faults';
import { invitationLetter, signInLetter, type PortalLetter, type Way } from '../../model/portal-letters';
import type { Telephony } from '../../parts';
import * as audit from '../../store/audit';
import * as companies from '../../store/companies';
import * as contacts from '../../store/contacts';
import * as letters from '../../store/letters';
import * as passwords from '../../store/passwords';
import { makeEntryLink } from './entry-links';

const TENANT = tenantOf('tel', 'portal');

/** The same answer whether anybody has the address or not. */
export async function requestEntryLinks({ kernel, mailer }: Telephony, email: string): Promise<void> {
  ensure(mailer.mode !== 'off', mailIsOff());
  if (email.length > LONGEST_EMAIL) return;
  await kernel.transaction((tx) => ask(tx, { purpose: 'sign-in', email }));
}

export async function mailInvitation({ kernel, mailer }: Telephony, by: Caller, id: string): Promise<void> {
  ensure(by.isOwner, notOwner());
  ensure(mailer.mode !== 'off', mailIsOff());
  const { companyId } = by;
  await kernel.transaction(async (tx) => {
    const contact = await contacts.lock(tx.db, companyId, id);
    if (!contact) throw noContact();
    await audit.record(tx.db, by, { action: 'contact.mail', object: contact.id });
    await ask(tx, { purpose: 'invitation', companyId, contactId: contact.id });
  });
}

async function ask(tx: Tx, letter: PortalLetter): Promise<void> {
  const letterId = newId();
  await letters.insert(tx.db, letterId, letter);
  tx.deliver(jobDelivery(TENANT, sendPortalLetter, { payload: { letterId } }));
}

/** Letters whose job was lost, or whose time has come again. */
export async function wakeLetters({ kernel }: Telephony): Promise<void> {
  for (const letterId of await letters.overdue(kernel.mysql, kernel.settings.sweepAfterMs)) {
    await kernel.jobs.nudge(sendPortalLetter, `letter-${letterId}`, { letterId });
  }
}

/** A link that comes later is of no use. */
const STALE_MS = 2 * 3_600_000;
/** After the first attempt; longer than one takes. */
const PAUSE_MS = 30_000;

/** The worker's end. */
export async function mailEntryLinks(telephony: Telephony, letterId: string): Promise<void> {
  const { mysql, log } = telephony.kernel;
  const taken = await letters.take(mysql, letterId, { pauseMs: PAUSE_MS, staleMs: STALE_MS });
  if (!taken) return;
  if (taken.isStale) {
    await letters.remove(mysql, letterId);
    throw new Fault('unavailable', 'The mail server did not take the letter for two hours');
  }
  const { letter } = taken;
  const written =
    letter.purpose === 'sign-in' ? await writeSignIn(telephony, letter) : await writeInvitation(telephony, letter);
  try {
    if (written) await telephony.mailer.send({ ...written, headers: { 'Auto-Submitted': 'auto-generated' } });
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      log.warn({ err: error, letter: letterId }, 'a letter of the portal was not taken; it is tried again');
      return;
    }
    await letters.remove(mysql, letterId);
    throw new Fault('invalid', 'The mail server refused the letter', { cause: error });
  }
  await letters.remove(mysql, letterId);
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
