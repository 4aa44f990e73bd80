/** Whose session a token is of. */
import { hash } from 'node:crypto';
import { NOTE_USE_MS } from '../model/session';
import { sessionEnded } from '../model/session-faults';
import type { User } from '../model/user';
import type { Chat } from '../parts';
import * as sessions from '../store/sessions';

export async function findSessionUser(chat: Chat, token: string, from: string): Promise<User> {
  const { kernel, sessionDays } = chat;
  const keyHash = kernel.secrets.lookup(token);
  const look = () => sessions.byTokenHash(kernel.mysql, keyHash, sessionDays);
  const found = await kernel.keys.find({ keyHash, from }, look);
  if (!found?.user.isActive || !found.isRealmActive) throw sessionEnded();
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
