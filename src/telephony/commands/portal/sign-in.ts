/** Signs contacts in by password, by API key as the owner, or as any contact on a development server. */
import type { Storage, Kernel } from '../../../kernel/kernel';
import { emailKey, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { badCredentials } from '../../../kernel/sessions/page-faults';
import type { Browser } from '../../../kernel/sessions/page-session';
import type { CompanyId } from '../../model/companies/company';
import { KEY_ID_LENGTH } from '../../model/companies/key';
import type { ContactId } from '../../model/contacts/contact';
import type { Candidate } from '../../model/portal/portal';
import { keyMayNotEnter, notADevelopmentServer, wrongKey } from '../../model/portal/portal-faults';
import { isForDevelopment } from '../../model/portal/portal-settings';
import { isPublished } from '../../model/published';
import type { Telephony } from '../../parts';
import { noteUse } from '../../queries/companies/find-caller';
import * as keys from '../../store/companies/keys';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';
import { openSession } from './open-session';

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
  const companyId = await contacts.companyOf(telephony.mysql, contactId as ContactId);
  ensure(companyId !== undefined, badCredentials());
  const opening = { companyId, contactId: contactId as ContactId, openedBy: 'demo' as const, browser };
  return { token: await openSession(telephony, opening) };
}
