/** Authenticates a socket: by API key and email (the primary user without one), or by a page's session ticket. */
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { CompanyId } from '../../model/companies/company';
import type { KeyRights } from '../../model/companies/key';
import type { Caller, ContactId } from '../../model/contacts/contact';
import { invalidKey, unknownEmail } from '../../model/faults';
import { isTicket } from '../../model/portal/socket-ticket';
import { isPublished } from '../../model/published';
import * as keys from '../../store/companies/keys';
import * as contacts from '../../store/contacts/contacts';
import * as sessions from '../../store/portal/sessions';
import { findTicketHolder } from '../portal/find-session-caller';
import { noteUse } from './find-caller';

export interface Credentials {
  readonly token: string;
  readonly email: string | undefined;
  readonly from: string;
}

export interface SocketCaller {
  readonly caller: Caller;
  /** The hash of the key or session. Neither is kept in clear. */
  readonly keyHash: string;
  readonly rights: KeyRights;
  /** The user's last login is under a second old and need not be recorded again. */
  readonly enteredLately: boolean;
  /** Milliseconds until the key expires; null if it does not. */
  readonly leftMs: number | null;
}

/** A session that was not used for this many days has ended. */
export interface EntryRules {
  readonly sessionDays: number;
}

export async function findSocketCaller(
  kernel: Storage & Pick<Kernel, 'keys' | 'log' | 'settings'>,
  { token, email, from }: Credentials,
  { sessionDays }: EntryRules,
): Promise<SocketCaller> {
  if (isTicket(token)) {
    const { caller, tokenHash, leftMs } = await findTicketHolder(kernel, { ticket: token, from, days: sessionDays });
    return { caller, keyHash: tokenHash, rights: 'write', enteredLately: false, leftMs };
  }
  if (isPublished(kernel.settings, token)) throw invalidKey();
  const keyHash = kernel.secrets.lookup(token);
  const found = await kernel.keys.find({ keyHash, from }, () => keys.socketCallerOf(kernel.mysql, keyHash, email));
  if (!found) throw invalidKey();
  const { companyId, contactId, isPrimary, enteredLately, rights } = found;
  if (contactId === null) throw unknownEmail();
  if (found.isUnnoted === 1) noteUse(kernel, keyHash);
  return {
    caller: { companyId, contactId, isOwner: isPrimary === 1, from },
    keyHash,
    rights,
    enteredLately: enteredLately === 1,
    leftMs: found.leftMs,
  };
}

export interface Access {
  readonly keyHashes: ReadonlySet<string>;
  readonly contactIds: ReadonlySet<ContactId>;
}

/** The hashes of a company's valid keys and sessions, and its enabled users: whose sockets may stay connected. */
export async function findAccess(db: Database, companyId: CompanyId, among: readonly ContactId[]): Promise<Access> {
  const [ofKeys, ofSessions, ids] = await Promise.all([
    keys.hashesOf(db, companyId),
    sessions.hashesOf(db, among),
    contacts.activeAmong(db, companyId, among),
  ]);
  return { keyHashes: new Set([...ofKeys, ...ofSessions]), contactIds: new Set(ids) };
}
