/**
 * Authenticates a request: by API key and X-User-Id, and checks the key's rights for the route. Authenticates a socket: by
 * API key and email (the primary user without one), or by a page's session ticket.
 */
import { ensure } from '../../../kernel/fault';
import { searchableId } from '../../../kernel/id';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { KeyCallers } from '../../caches/key-callers';
import type { CompanyId } from '../../model/companies/company';
import { mayCall, type CalledRoute, type KeyRights } from '../../model/companies/key';
import type { Caller, ContactId } from '../../model/contacts/contact';
import { existing, invalidKey, keyRequired, unknownEmail, unknownUser, userRequired } from '../../model/faults';
import { keyMayNot } from '../../model/portal/portal-faults';
import { isTicket } from '../../model/portal/socket-ticket';
import { isPublished } from '../../model/published';
import type { SocketEntrySettings } from '../../settings';
import * as keys from '../../store/companies/keys';
import * as contacts from '../../store/contacts/contacts';
import * as sessions from '../../store/portal/sessions';
import { findTicketHolder } from '../portal/find-session-caller';

type Parts = Storage & Pick<Kernel, 'keys' | 'log' | 'settings'>;

/** The credentials of a request. */
export interface Shown {
  readonly authorization: string;
  readonly userId: string;
  readonly from: string;
}

/** A caller who only reads may come from the cache, if there is one. */
// oxlint-disable-next-line max-params -- the node's parts, the credentials, the route and the cache
export async function findCaller(kernel: Parts, shown: Shown, route: CalledRoute, known?: KeyCallers): Promise<Caller> {
  const { authorization, from } = shown;
  const userId = searchableId(shown.userId);
  const [, key] = /^Bearer\s+(\S{1,200})$/i.exec(authorization) ?? [];
  if (key === undefined) throw keyRequired();
  if (isPublished(kernel.settings, key)) throw invalidKey();
  const keyHash = kernel.secrets.lookup(key);
  const read = () =>
    kernel.keys.find({ keyHash, from }, () => keys.callerOf(kernel.mysql, keyHash, userId as ContactId | 'primary'));
  const found = await (known && route.method === 'get' ? known.find(keyHash, userId, read) : read());
  if (!found) throw invalidKey();
  if (userId === '') throw userRequired();
  const { companyId, contactId, isPrimary } = found;
  if (contactId === null) throw unknownUser();
  ensure(mayCall(found.rights, route), keyMayNot(found.rights));
  if (found.isUnnoted === 1) noteUse(kernel, keyHash);
  return { companyId, contactId, isOwner: isPrimary === 1, from };
}

/** Runs in the background; no request waits for it. */
export function noteUse(kernel: Pick<Kernel, 'log' | 'mysql'>, keyHash: string): void {
  keys
    .noteUse(kernel.mysql, keyHash)
    .catch((error: Error) => kernel.log.debug({ error }, 'could not store the time a key was last used'));
}

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

export async function findSocketCaller(
  kernel: Parts,
  { token, email, from }: Credentials,
  { sessionDays }: Pick<SocketEntrySettings, 'sessionDays'>,
): Promise<SocketCaller> {
  if (isTicket(token)) {
    const { caller, tokenHash, leftMs } = await findTicketHolder(kernel, { ticket: token, from, days: sessionDays });
    return { caller, keyHash: tokenHash, rights: 'write', enteredLately: false, leftMs };
  }
  if (isPublished(kernel.settings, token)) throw invalidKey();
  const keyHash = kernel.secrets.lookup(token);
  const found = existing(
    await kernel.keys.find({ keyHash, from }, () => keys.socketCallerOf(kernel.mysql, keyHash, email)),
    invalidKey,
  );
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
