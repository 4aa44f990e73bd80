/** Finds the user of a session token, and a user's active sessions. */
import { hash } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { NOTE_USE_MS } from '../../../kernel/sessions/page-session';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import type { SessionsAnswer } from '../../model/answers/sessions';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as sessions from '../../store/accounts/sessions';

type Parts = Storage & Pick<Chat, 'sessionDays'>;

interface ShownSession {
  readonly token: string;
  /** The client's IP address. */
  readonly from: string;
  /** If true, also accepts a session that can only set up a second factor. */
  readonly mayLackFactor: boolean;
}

export async function findSessionUser(
  chat: Storage & Pick<Chat, 'keys' | 'log' | 'sessionDays'>,
  { token, from, mayLackFactor }: ShownSession,
): Promise<User> {
  const { sessionDays } = chat;
  const keyHash = chat.secrets.lookup(token);
  const look = () => sessions.byTokenHash(chat.mysql, keyHash, sessionDays);
  const found = await chat.keys.find({ keyHash, from }, look);
  if (!found?.user.isActive || !found.isRealmActive) throw sessionEnded();
  ensure(mayLackFactor || !found.lacksFactor, secondFactorMissing());
  if (found.unusedMs > NOTE_USE_MS) {
    // The request does not wait for this write.
    sessions
      .noteUse(chat.mysql, found.id)
      .catch((error: Error) => chat.log.debug({ error }, 'could not store the time a session was last used'));
  }
  return found.user;
}

/** The key under which the session's user is cached. The key itself is no credential. */
export const sessionCallerKey = (token: string): string => hash('sha256', `session:${token}`, 'base64');

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The token marks the current session. */
export async function listSessions(chat: Parts, by: User, token: string | undefined): Promise<SessionsAnswer> {
  const { sessionDays } = chat;
  const current = token === undefined ? undefined : await findSessionId(chat, token);
  const found = await sessions.list(chat.mysql, by.id, sessionDays);
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

export async function findSessionId(
  { mysql, secrets, sessionDays }: Parts,
  token: string,
): Promise<number | undefined> {
  return (await sessions.byTokenHash(mysql, secrets.lookup(token), sessionDays))?.id;
}
