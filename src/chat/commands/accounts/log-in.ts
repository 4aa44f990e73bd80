/** Logs users in by password, and rehashes the password if its hash is outdated. */
import { emailKey, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Requester } from '../../../kernel/passwords/password-queue';
import { DEMO_PASSWORD } from '../../model/accounts/credentials';
import { invalidSubdomain, passwordsDisabled, wrongPassword } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { ensureMayEnter, keyOf, type Key } from '../../queries/accounts/keys';
import type { ChatSettings } from '../../settings';
import * as realms from '../../store/organisation/realms';
import { replaceHash } from '../../store/users/accounts';
import * as users from '../../store/users/users';
import { checkSecondFactor, type GivenCode } from './two-factor';

interface Login {
  readonly username: string;
  readonly password: string;
  /** The client's IP address. */
  readonly from: string;
}

/** Refuses overlong names, which cannot exist, before login attempts are counted by name. */
export function checkLoginName(username: string): void {
  ensure(username.length <= MAX_EMAIL_LENGTH, wrongPassword());
}

/** Returns the user's API key. */
export async function logIn(
  kernel: Storage & Pick<Kernel, 'log' | 'passwords'>,
  settings: ChatSettings,
  realmId: RealmId,
  login: Login & GivenCode,
): Promise<Key> {
  const { user } = await checkPassword(kernel, settings, realmId, login);
  await checkSecondFactor(kernel, user, login);
  return keyOf(kernel, user);
}

interface Checked {
  readonly user: User;
  readonly passwordHash: string;
}

/** Returns the user whose password it is. */
export async function checkPassword(
  kernel: Storage & Pick<Kernel, 'log' | 'passwords'>,
  settings: ChatSettings,
  realmId: RealmId,
  login: Login,
): Promise<Checked> {
  if (!settings.authMethods.includes('password')) throw passwordsDisabled();
  const { username, password, from } = login;
  checkLoginName(username);
  // The demo password is public, so an organisation that began with demo data must not keep it in production.
  ensure(settings.nodeEnv !== 'production' || password !== DEMO_PASSWORD, wrongPassword());
  const requester = { address: from, account: `${realmId}:${emailKey(username)}` };
  let user: User | undefined;
  let stored: string | null = null;
  // Looked up only when the check gets its turn, so that rejected floods cost MySQL nothing.
  const findStored = async () => {
    user = await users.byEmail(kernel.mysql, realmId, username);
    if (user) stored = (await users.credentials(kernel.mysql, user.id)).passwordHash;
    return stored;
  };
  const isRight = await kernel.passwords.check(password, findStored, requester);
  if (!user || stored === null || !isRight) throw wrongPassword();
  const realm = await realms.byId(kernel.mysql, realmId);
  if (!realm) throw invalidSubdomain();
  ensureMayEnter(user, realm);
  const outdated = { user, stored, password };
  const renewed = kernel.passwords.isOutdated(stored) ? await renewHash(kernel, outdated, requester) : undefined;
  return { user, passwordHash: renewed ?? stored };
}

interface Outdated {
  readonly user: User;
  readonly stored: string;
  readonly password: string;
}

/** Best effort: a failure is harmless, because the next login tries again. */
async function renewHash(
  kernel: Pick<Kernel, 'log' | 'passwords' | 'transaction'>,
  { user, stored, password }: Outdated,
  requester: Requester,
): Promise<string | undefined> {
  try {
    const renewed = await kernel.passwords.hash(password, requester);
    await kernel.transaction((tx) => replaceHash(tx.db, user.id, stored, renewed));
    return renewed;
  } catch (error) {
    kernel.log.debug({ error }, 'could not rehash a password');
    return undefined;
  }
}
