/** Opens a session for an authenticated user. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { badCredentials } from '../../../kernel/page-faults';
import { boundedBrowser, MOST_SESSIONS, TOKEN_LENGTH, type Browser } from '../../../kernel/page-session';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import * as sessions from '../../store/accounts/sessions';
import * as users from '../../store/users/users';

export interface Opening extends Browser {
  /** The hash of the password that was checked, if one was. */
  readonly passwordHash?: string;
  /** Whether an external provider authenticated the user. */
  readonly isExternal?: boolean;
}

/** Returns the token, which only the browser keeps. */
export async function openSession(kernel: Kernel, user: User, opening: Opening): Promise<string> {
  const { agent, address, passwordHash, isExternal = false } = opening;
  const token = newSecret(TOKEN_LENGTH);
  const tokenHash = kernel.secrets.lookup(token);
  await kernel.transaction(async (tx) => {
    // Locked: a concurrent deactivation or password change either ends this session too, or is seen here.
    const standing = await users.lock(tx.db, user.realmId, user.id);
    const stored = await users.credentials(tx.db, user.id);
    const isSame = passwordHash === undefined || passwordHash === stored.passwordHash;
    ensure(standing?.isActive === true && isSame, badCredentials());
    await sessions.insert(tx.db, { userId: user.id, tokenHash, isExternal, ...boundedBrowser({ agent, address }) });
    const ended = await sessions.removeBeyond(tx.db, user.id, MOST_SESSIONS);
    if (ended > 0) tx.deliver(accessChanged(user.realmId, user.id));
  });
  return token;
}
