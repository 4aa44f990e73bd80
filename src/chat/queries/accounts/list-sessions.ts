/** A user's active sessions. */
import type { SessionsAnswer } from '../../model/answers/sessions';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as sessions from '../../store/accounts/sessions';

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
