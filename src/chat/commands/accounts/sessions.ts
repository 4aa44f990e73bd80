/** Opens a session for an authenticated user, and ends sessions on every node: caches drop the user, polls end. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { badCredentials } from '../../../kernel/sessions/page-faults';
import { boundedBrowser, type Browser, MAX_SESSIONS, TOKEN_LENGTH } from '../../../kernel/sessions/page-session';
import { noSuchSession } from '../../model/accounts/session';
import { codeRequired } from '../../model/accounts/two-factor';
import type { Newcomer } from '../../model/users/newcomer';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import * as sessions from '../../store/accounts/sessions';
import * as twoFactor from '../../store/accounts/two-factor';
import * as users from '../../store/users/users';

interface Opening extends Browser {
  /** What was checked, if a password was: the hash of that password, and whether there was a second factor. */
  readonly checked?: { readonly passwordHash: string; readonly hasFactor: boolean };
  /** Whether an external provider authenticated the user. */
  readonly isExternal?: boolean;
}

/** Returns the token, which only the browser keeps. */
export async function openSession(kernel: Storage, user: User, opening: Opening): Promise<string> {
  const { agent, address, checked, isExternal = false } = opening;
  const token = newSecret(TOKEN_LENGTH);
  const tokenHash = kernel.secrets.lookup(token);
  await kernel.transaction(async (tx) => {
    // Locked: a concurrent deactivation, new password or new second factor either ends this session too, or is seen here.
    const standing = await users.lock(tx.db, user.realmId, user.id);
    ensure(standing?.isActive === true, badCredentials());
    if (checked) await ensureUnchanged(tx, user, checked);
    await sessions.insert(tx.db, { userId: user.id, tokenHash, isExternal, ...boundedBrowser({ agent, address }) });
    const ended = await sessions.removeBeyond(tx.db, user.id, MAX_SESSIONS);
    if (ended > 0) tx.deliver(accessChanged(user.realmId, user.id));
  });
  return token;
}

/** For an account that was made just now. */
export async function openFirstSession(
  kernel: Storage,
  { realmId, userId }: Newcomer,
  browser: Browser,
): Promise<string> {
  const user = await users.byId(kernel.mysql, realmId, userId);
  ensure(user !== undefined, badCredentials());
  return openSession(kernel, user, browser);
}

async function ensureUnchanged({ db }: Tx, user: User, checked: NonNullable<Opening['checked']>): Promise<void> {
  const { passwordHash } = await users.credentials(db, user.id);
  ensure(passwordHash === checked.passwordHash, badCredentials());
  const hasFactor = (await twoFactor.find(db, user.id))?.isOn === true;
  ensure(checked.hasFactor || !hasFactor, codeRequired());
}

/** Ends one session that the user chose. */
export async function endSession(transaction: Transact, by: User, id: number): Promise<void> {
  await transaction(async (tx) => {
    ensure(await sessions.remove(tx.db, by.id, id), noSuchSession());
    tx.deliver(accessChanged(by.realmId, by.id));
  });
}

/** Ends all of a user's sessions, because access or credentials changed. Keeps the session with the given hash. */
export async function endSessions(tx: Tx, user: User, keptHash?: string): Promise<void> {
  const ended = await sessions.removeAllOf(tx.db, user.id, keptHash);
  if (ended > 0) tx.deliver(accessChanged(user.realmId, user.id));
}
