/** Authenticates a portal session. */
import type { Kernel, Storage } from '../../../kernel/kernel';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { NOTE_USE_MS } from '../../../kernel/sessions/page-session';
import type { Caller } from '../../model/contacts/contact';
import { readTicket } from '../../model/portal/socket-ticket';
import * as sessions from '../../store/portal/sessions';

type Parts = Storage & Pick<Kernel, 'keys' | 'log'>;

export interface ShownSession {
  readonly token: string;
  readonly from: string;
  /** A session that was not used for this many days has ended. */
  readonly days: number;
}

export async function findSession(
  kernel: Storage & Pick<Kernel, 'keys'>,
  { token, from, days }: ShownSession,
): Promise<sessions.FoundSession | undefined> {
  const keyHash = kernel.secrets.lookup(token);
  return kernel.keys.find({ keyHash, from }, () => sessions.byTokenHash(kernel.mysql, keyHash, days));
}

/** Returns undefined if the session has ended. */
export async function findSessionCaller(kernel: Parts, shown: ShownSession): Promise<Caller | undefined> {
  const found = await findSession(kernel, shown);
  if (!found) return undefined;
  if (found.unusedSeconds * 1000 > NOTE_USE_MS) {
    // The request does not wait for it.
    sessions
      .noteUse(kernel.mysql, found.id)
      .catch((error: Error) => kernel.log.debug({ error }, 'could not store the time a session was last used'));
  }
  return callerOf(found, shown.from);
}

const callerOf = ({ companyId, contactId, isPrimary }: sessions.FoundSession, from: string): Caller => ({
  companyId,
  contactId,
  isOwner: isPrimary === 1,
  from,
  isAtPortal: true,
});

/** For sockets, whose clients cannot send the session cookie. */
export async function findTicketHolder(
  kernel: Storage,
  { ticket, from, days }: { readonly ticket: string; readonly from: string; readonly days: number },
): Promise<{ readonly caller: Caller; readonly tokenHash: string; readonly leftMs: number | null }> {
  const id = readTicket(kernel.secrets, ticket, kernel.clock.now());
  const found = id === undefined ? undefined : await sessions.byId(kernel.mysql, id, days);
  if (!found) throw sessionEnded();
  return { caller: callerOf(found, from), tokenHash: found.tokenHash, leftMs: found.leftMs };
}
