/** Signs contacts in by password, by API key as the owner, or as any contact on a development server. Ends sessions. */
import type { Storage, Kernel } from '../../../kernel/kernel';
import { emailKey, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { badCredentials } from '../../../kernel/sessions/page-faults';
import { boundedBrowser, MAX_SESSIONS, TOKEN_LENGTH, type Browser } from '../../../kernel/sessions/page-session';
import { existing } from '../../model/faults';
import type { CompanyId } from '../../model/companies/company';
import { accessChanged, KEY_ID_LENGTH } from '../../model/companies/key';
import type { Caller, ContactId } from '../../model/contacts/contact';
import type { Candidate, OpenedBy } from '../../model/portal/portal';
import { keyMayNotEnter, noSuchSession, notADevelopmentServer, wrongKey } from '../../model/portal/portal-faults';
import { isForDevelopment } from '../../settings';
import { isPublished } from '../../model/published';
import type { Telephony } from '../../parts';
import { noteUse } from '../../queries/companies/find-caller';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as keys from '../../store/companies/keys';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';
import * as sessions from '../../store/portal/sessions';

type Parts = Storage & Pick<Telephony, 'keys' | 'log' | 'settings'>;

export interface Login {
  readonly email: string;
  readonly password: string;
  /** Needed if the address belongs to contacts of several companies. */
  readonly companyId?: CompanyId | undefined;
  /** If given, only these contacts may sign in. */
  readonly contactIds?: readonly string[] | undefined;
}

/** The password matches in several companies, so the client must choose one. */
export interface Choice {
  readonly companies: readonly { readonly id: CompanyId; readonly name: string }[];
}

export type SignedIn = { readonly token: string } | Choice;

export async function signIn(
  kernel: Storage & Pick<Kernel, 'passwords'>,
  login: Login,
  browser: Browser,
): Promise<SignedIn> {
  const { email, password, companyId, contactIds } = login;
  ensure(email.length <= MAX_EMAIL_LENGTH, badCredentials());
  const requester = { address: browser.address, account: `tel:${emailKey(email)}` };
  let found: Candidate[] = [];
  const fitting: Candidate[] = [];
  // Looked up only when its turn comes, so that refused attempts cost MySQL nothing.
  const first = async (): Promise<string | null> => {
    const all = await passwords.candidates(kernel.mysql, email, companyId);
    const isMeant = ({ contactId }: Candidate) => contactIds === undefined || contactIds.includes(contactId);
    found = all.filter((each) => each.passwordHash !== null && isMeant(each));
    return found[0]?.passwordHash ?? null;
  };
  if (await kernel.passwords.check(password, first, requester)) fitting.push(found[0]!);
  for (const each of found.slice(1)) {
    if (await kernel.passwords.check(password, each.passwordHash, requester)) fitting.push(each);
  }
  const [one] = fitting;
  ensure(one !== undefined, badCredentials());
  if (fitting.length > 1) {
    return { companies: fitting.map(({ companyId: id, companyName: name }) => ({ id, name })) };
  }
  const { passwordHash, ...whose } = one;
  const opening = { ...whose, openedBy: 'password' as const, browser, passwordHash: passwordHash! };
  return { token: await openSession(kernel, opening) };
}

/** An API key with full rights signs in as the company's owner. */
export async function signInByKey(kernel: Parts, key: string, browser: Browser): Promise<SignedIn> {
  if (isPublished(kernel.settings, key)) throw wrongKey();
  const hash = kernel.secrets.lookup(key);
  const shown = { keyHash: hash, from: browser.address };
  const found = await kernel.keys.find(shown, () => keys.callerOf(kernel.mysql, hash, 'primary'));
  if (!found || found.contactId === null) throw wrongKey();
  ensure(found.rights === 'write', keyMayNotEnter());
  if (found.isUnnoted === 1) noteUse(kernel, hash);
  const { companyId, contactId } = found;
  const opening = { companyId, contactId, openedBy: 'key' as const, browser };
  return { token: await openSession(kernel, { ...opening, key: { hash, id: hash.slice(0, KEY_ID_LENGTH) } }) };
}

export async function signInForDevelopment(
  telephony: Storage & Pick<Telephony, 'settings'>,
  contactId: string,
  browser: Browser,
): Promise<SignedIn> {
  ensure(isForDevelopment(telephony.settings), notADevelopmentServer());
  const companyId = existing(await contacts.companyOf(telephony.mysql, contactId as ContactId), badCredentials);
  const opening = { companyId, contactId: contactId as ContactId, openedBy: 'demo' as const, browser };
  return { token: await openSession(telephony, opening) };
}

interface Opening {
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
function openSession(kernel: Storage, opening: Opening): Promise<string> {
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
