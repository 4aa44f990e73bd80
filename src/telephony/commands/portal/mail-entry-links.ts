/** Requests and sends mails with sign-in links. The contacts of an address are looked up when the mail is sent. */
import { tenantOf } from '../../../kernel/actor/address';
import type { Storage } from '../../../kernel/kernel';
import type { Mailer } from '../../../kernel/mail/mailer';
import type { Database } from '../../../kernel/mysql/pool';
import { MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { MailRefused, type Letter } from '../../../kernel/mail/letter';
import { dead, done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import { commitWrites, type Writes } from '../../../kernel/mysql/commit-statements';
import { portalLetters, STALE_LETTER_MS } from '../../actors/mailboxes';
import type { CompanyId } from '../../model/companies/company';
import type { Caller, ContactId } from '../../model/contacts/contact';
import { noContact, notOwner, existing } from '../../model/faults';
import { entryAddress, type Candidate } from '../../model/portal/portal';
import { mailIsOff } from '../../model/portal/portal-faults';
import {
  invitationLetter,
  signInLetter,
  type PortalLetter,
  type SignInLetter,
  type Way,
} from '../../model/portal/portal-letters';
import { telephonyWords } from '../../model/texts/telephony-words';
import type { Telephony } from '../../parts';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';
import { makeEntryLink } from './entry-links';

type Parts = Pick<Telephony, 'jobs' | 'mailer' | 'mysql' | 'pause'>;

const TENANT = tenantOf('tel', 'portal');

/** Behaves the same whether or not any contact has the address, so that addresses cannot be probed. */
export async function requestEntryLinks(telephony: Parts, email: string, language: string): Promise<void> {
  ensure(telephony.mailer.mode !== 'off', mailIsOff());
  if (email.length > MAX_EMAIL_LENGTH) return;
  await commitWrites(telephony, (tx) => portalLetters.at(TENANT).send(tx, { purpose: 'sign-in', email, language }));
}

export async function mailInvitation(
  { transaction, mailer }: Pick<Telephony, 'mailer' | 'transaction'>,
  by: Caller,
  id: string,
  language: string,
): Promise<void> {
  ensure(by.isOwner, notOwner());
  ensure(mailer.mode !== 'off', mailIsOff());
  const { companyId } = by;
  await transaction(async (tx) => {
    const contact = existing(await contacts.lock(tx.db, companyId, id), noContact);
    await audit.record(tx.db, by, { action: 'contact.mail', object: contact.id });
    portalLetters.at(TENANT).send(tx, { purpose: 'invitation', companyId, contactId: contact.id, language });
  });
}

/** For operators. Returns the owner's address. */
export function mailOwnersInvitation(kernel: Storage, companyId: CompanyId, language: string): Promise<string> {
  return kernel.transaction(async (tx) => {
    const contact = existing(await contacts.primary(tx.db, companyId), noContact);
    const by = { companyId, contactId: null, from: 'console' };
    await audit.record(tx.db, by, { action: 'contact.mail', object: contact.id });
    portalLetters.at(TENANT).send(tx, { purpose: 'invitation', companyId, contactId: contact.id, language });
    return contact.workEmail;
  });
}

/** Sends one mail, in a worker. If the address is stored in several spellings, requests a mail for each instead. */
export async function mailEntryLinks(
  telephony: Storage & Pick<Telephony, 'mailer' | 'settings'>,
  { body: letter, ageMs }: Mail<PortalLetter>,
): Promise<Ending> {
  if (ageMs >= STALE_LETTER_MS) return dead('The mail server did not take the letter for two hours');
  if (letter.purpose === 'invitation') return deliver(telephony.mailer, await writeInvitation(telephony, letter));
  const found = await holdersOf(telephony.mysql, letter);
  // A mail server may tell OWNER and owner apart, so a mail holds links for one spelling only.
  const spellings = [...new Set(found.map(({ workEmail }) => workEmail))];
  if (spellings.length > 1) return done({ write: (tx) => requestForEach(tx, spellings, letter) });
  return deliver(telephony.mailer, await writeSignIn(telephony, found, letter));
}

async function deliver(mailer: Mailer, written: Letter | undefined): Promise<Ending> {
  if (!written) return dropped('Nobody has the address');
  try {
    await mailer.send({ ...written, headers: { 'Auto-Submitted': 'auto-generated' } });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return dead(`The mail server refused the letter: ${error.message}`);
  }
  return done();
}

/** The contacts with the address; once it is one of several stored spellings, with that spelling only. */
async function holdersOf(db: Database, letter: SignInLetter): Promise<Candidate[]> {
  const found = await passwords.candidates(db, letter.email);
  return letter.isStored ? found.filter(({ workEmail }) => workEmail === letter.email) : found;
}

function requestForEach(tx: Writes, spellings: readonly string[], letter: SignInLetter): Promise<void> {
  for (const email of spellings) portalLetters.at(TENANT).send(tx, { ...letter, email, isStored: true });
  return Promise.resolve();
}

/** Goes to the stored address, never to the address as entered. */
async function writeSignIn(
  telephony: Storage & Pick<Telephony, 'settings'>,
  found: readonly Candidate[],
  { language = '' }: SignInLetter,
): Promise<Letter | undefined> {
  const [first] = found;
  if (!first) return undefined;
  const ways: Way[] = [];
  for (const { contactId, companyName: company } of found) {
    ways.push({ company, link: await linkFor(telephony, contactId, 'sign-in') });
  }
  return { to: first.workEmail, ...signInLetter(telephonyWords(language), ways) };
}

async function writeInvitation(
  telephony: Storage & Pick<Telephony, 'settings'>,
  { companyId, contactId, language = '' }: Extract<PortalLetter, { purpose: 'invitation' }>,
): Promise<Letter | undefined> {
  const { mysql } = telephony;
  const [contact, company] = await Promise.all([
    contacts.byId(mysql, companyId, contactId),
    companies.byId(mysql, companyId),
  ]);
  if (!contact?.isActivated || !company) return undefined;
  const link = await linkFor(telephony, contact.id, 'invitation');
  const way = { company: company.name, link };
  return { to: contact.workEmail, ...invitationLetter(telephonyWords(language), way, contact.firstName) };
}

async function linkFor(
  telephony: Storage & Pick<Telephony, 'settings'>,
  contactId: ContactId,
  purpose: PortalLetter['purpose'],
): Promise<string> {
  const token = await telephony.transaction(({ db }) => makeEntryLink(telephony.secrets, db, { contactId, purpose }));
  return entryAddress(telephony.settings.publicUrl, token);
}
