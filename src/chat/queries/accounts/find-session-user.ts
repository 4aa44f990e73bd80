/** Finds the user of a session token. */
import { hash } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { NOTE_USE_MS } from '../../../kernel/sessions/page-session';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as sessions from '../../store/accounts/sessions';

export interface ShownSession {
  readonly token: string;
  /** The client's IP address. */
  readonly from: string;
  /** If true, also accepts a session that can only set up a second factor. */
  readonly mayLackFactor: boolean;
}

export async function findSessionUser(chat: Chat, { token, from, mayLackFactor }: ShownSession): Promise<User> {
  const { kernel, sessionDays } = chat;
  const keyHash = kernel.secrets.lookup(token);
  const look = () => sessions.byTokenHash(kernel.mysql, keyHash, sessionDays);
  const found = await kernel.keys.find({ keyHash, from }, look);
  if (!found?.user.isActive || !found.isRealmActive) throw sessionEnded();
  ensure(mayLackFactor || !found.lacksFactor, secondFactorMissing());
  if (found.unusedMs > NOTE_USE_MS) {
    // The request does not wait for this write.
    sessions
      .noteUse(kernel.mysql, found.id)
      .catch((error: Error) => kernel.log.debug({ error }, 'could not store the time a session was last used'));
  }
  return found.user;
}

/** The key under which the session's user is cached. The key itself is no credential. */
export const sessionCallerKey = (token: string): string => hash('sha256', `session:${token}`, 'base64');
