/** Creates one-time sign-in links, and signs in by them. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Browser } from '../../../kernel/sessions/page-session';
import type { CompanyId } from '../../model/companies/company';
import { invitationStatus, type Contact, type ContactId } from '../../model/contacts/contact';
import { noContact, existing } from '../../model/faults';
import { ENTRY_LINK_MS, ENTRY_TOKEN_LENGTH, type EntryPurpose, entryAddress } from '../../model/portal/portal';
import { linkUsed } from '../../model/portal/portal-faults';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';
import * as links from '../../store/portal/entry-links';
import { openSessionIn } from './sign-in';

type Parts = Storage & Pick<Kernel, 'keys'>;

type Database = Parameters<typeof links.insert>[0];

/** Returns the token. Only its hash is stored. */
export async function makeEntryLink(
  secrets: Secrets,
  db: Database,
  { contactId, purpose }: { readonly contactId: ContactId; readonly purpose: EntryPurpose },
): Promise<string> {
  const token = newSecret(ENTRY_TOKEN_LENGTH);
  await links.forgetExpired(db);
  await links.insert(db, { contactId, tokenHash: secrets.lookup(token), lastsMs: ENTRY_LINK_MS[purpose] });
  return token;
}

/** Opens a session by a mailed link, or by an invitation token that the owner passed on. */
export async function signInByLink(kernel: Parts, token: string, browser: Browser): Promise<string> {
  const hash = kernel.secrets.lookup(token);
  const look = async (): Promise<ContactId | undefined> =>
    (await links.contactOf(kernel.mysql, hash)) ?? contacts.invited(kernel.mysql, hash);
  const contactId = existing(await kernel.keys.find({ keyHash: hash, from: browser.address }, look), linkUsed);
  return kernel.transaction(async (tx) => {
    const companyId = await contacts.companyOf(tx.db, contactId);
    const contact = companyId === undefined ? undefined : await contacts.lock(tx.db, companyId, contactId);
    ensure(contact !== undefined, linkUsed());
    const isLink = await links.use(tx.db, hash);
    ensure(isLink || (await isInvitation(kernel.clock, tx.db, hash, contact)), linkUsed());
    if (contact.invitation.acceptedAt === null) {
      await contacts.accept(tx.db, contact.id);
      const by = { companyId: contact.companyId, contactId, from: browser.address };
      await audit.record(tx.db, by, { action: 'contact.accept', object: contact.id });
    }
    return openSessionIn(kernel.secrets, tx, { companyId: contact.companyId, contactId, openedBy: 'link', browser });
  });
}

// oxlint-disable-next-line max-params -- the clock, the transaction and the two values to match
async function isInvitation(clock: Clock, db: Database, hash: string, contact: Contact): Promise<boolean> {
  const isPending = invitationStatus(contact.invitation, clock.now()) === 'pending';
  return isPending && (await contacts.invited(db, hash)) === contact.id;
}

export interface Invited {
  readonly companyId: CompanyId;
  /** Defaults to the owner. */
  readonly email: string | undefined;
}

/** Creates a sign-in link for a company's owner or another contact. For operators. */
export function inviteToPortal(
  kernel: Storage,
  { companyId, email }: Invited,
  publicUrl: string,
): Promise<{ readonly contact: Contact; readonly link: string }> {
  return kernel.transaction(async ({ db }) => {
    const contact =
      email === undefined ? await contacts.primary(db, companyId) : await contacts.byEmail(db, companyId, email);
    if (!contact) throw noContact();
    const token = await makeEntryLink(kernel.secrets, db, { contactId: contact.id, purpose: 'invitation' });
    const by = { companyId, contactId: null, from: 'command line' };
    await audit.record(db, by, { action: 'contact.invite', object: contact.id });
    return { contact, link: entryAddress(publicUrl, token) };
  });
}
