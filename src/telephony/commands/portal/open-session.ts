/** Opens a session for an authenticated contact, and ends sessions. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { badCredentials } from '../../../kernel/sessions/page-faults';
import { boundedBrowser, MAX_SESSIONS, TOKEN_LENGTH, type Browser } from '../../../kernel/sessions/page-session';
import { accessChanged } from '../../model/companies/key';
import type { CompanyId } from '../../model/companies/company';
import type { Caller, ContactId } from '../../model/contacts/contact';
import type { OpenedBy } from '../../model/portal/portal';
import { noSuchSession } from '../../model/portal/portal-faults';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';
import * as sessions from '../../store/portal/sessions';

export interface Opening {
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
  readonly openedBy: OpenedBy;
  readonly browser: Browser;
  /** The hash of the verified password, if a password was used. */
  readonly passwordHash?: string;
  /** The API key, if one was used: its hash, and the id that the owner sees. */
  readonly key?: { readonly hash: string; readonly id: string };
}

/** Returns the session token. Only the browser keeps it. */
export function openSession(kernel: Storage, opening: Opening): Promise<string> {
  return kernel.transaction((tx) => openSessionIn(kernel.secrets, tx, opening));
}

export async function openSessionIn(secrets: Secrets, tx: Tx, opening: Opening): Promise<string> {
  const { companyId, contactId, openedBy, browser, passwordHash, key } = opening;
  const token = newSecret(TOKEN_LENGTH);
  const tokenHash = secrets.lookup(token);
  // Locked: a concurrent disabling or password change either sees this session and ends it, or is seen here.
  const contact = await contacts.lock(tx.db, companyId, contactId);
  const isSame = passwordHash === undefined || passwordHash === (await passwords.hashOf(tx.db, contactId));
  const isOpen = (await companies.byId(tx.db, companyId))?.status === 'active';
  ensure(contact?.isActivated === true && isSame && isOpen, badCredentials());
  const keyHash = key?.hash ?? null;
  const id = await sessions.insert(tx.db, { contactId, tokenHash, keyHash, openedBy, ...boundedBrowser(browser) });
  const ended = await sessions.removeBeyond(tx.db, contactId, MAX_SESSIONS);
  if (ended > 0) tx.deliver(accessChanged(companyId));
  await contacts.entered(tx.db, contactId);
  const by = { companyId, contactId, from: browser.address };
  const detail = { opened_by: openedBy, ...(key ? { key: key.id } : {}) };
  await audit.record(tx.db, by, { action: 'session.open', object: String(id), detail });
  return token;
}

/** Ends a session that the contact chose. */
export async function endSession(transaction: Transact, by: Caller, id: number): Promise<void> {
  await transaction(async (tx) => {
    ensure(await sessions.remove(tx.db, by.contactId, id), noSuchSession());
    await audit.record(tx.db, by, { action: 'session.end', object: String(id) });
    tx.deliver(accessChanged(by.companyId));
  });
}
