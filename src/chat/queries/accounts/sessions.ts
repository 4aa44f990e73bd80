/** Finds the user of a session token, and a user's active sessions. */
import { hash } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { NOTE_USE_MS } from '../../../kernel/sessions/page-session';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import type { SessionsAnswer } from '../../model/answers/sessions';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as sessions from '../../store/accounts/sessions';

interface ShownSession {
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

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The token marks the current session. */
export async function listSessions(chat: Chat, by: User, token: string | undefined): Promise<SessionsAnswer> {
  const { kernel, sessionDays } = chat;
  const current = token === undefined ? undefined : await findSessionId(chat, token);
  const found = await sessions.list(kernel.mysql, by.id, sessionDays);
  return {
    sessions: found.map(({ id, agent, address, createdAt, lastUsedAt }) => ({
      id,
      created_at: seconds(createdAt),
      last_used_at: seconds(lastUsedAt),
      agent,
      address,
      current: id === current,
    })),
  };
}

export async function findSessionId({ kernel, sessionDays }: Chat, token: string): Promise<number | undefined> {
  return (await sessions.byTokenHash(kernel.mysql, kernel.secrets.lookup(token), sessionDays))?.id;
}
