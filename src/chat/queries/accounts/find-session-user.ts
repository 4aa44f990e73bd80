/** Whose session a token is of. */
import { hash } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import { sessionEnded } from '../../../kernel/page-faults';
import { NOTE_USE_MS } from '../../../kernel/page-session';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as sessions from '../../store/accounts/sessions';

export interface ShownSession {
  readonly token: string;
  /** The address it was shown from. */
  readonly from: string;
  /** True: also one that can only be used to set up a second factor. */
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
    // The request does not wait for it.
    sessions
      .noteUse(kernel.mysql, found.id)
      .catch((error: Error) => kernel.log.debug({ error }, 'could not note the use of a session'));
  }
  return found.user;
}

/** The key under which its user is cached; no credential itself. */
export const sessionCallerKey = (token: string): string => hash('sha256', `session:${token}`, 'base64');
