/** Returns a user's own API key. A development server hands out any user's key. */
import { exactEmail, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import type { Kernel } from '../../../kernel/kernel';
import { notADevelopmentServer, notAnEmail, realmDisabled, unregistered, userDisabled } from '../../model/faults';
import type { Realm } from '../../model/organisation/realm';
import { isEmail, type User } from '../../model/users/user';
import { isSystemBot } from '../../model/users/user-policy';
import type { ChatSettings } from '../../settings';
import * as users from '../../store/users/users';
import { ensureHasFactor } from './get-two-factor';

export interface Key {
  readonly api_key: string;
  readonly email: string;
}

export async function fetchDevelopmentKey(
  kernel: Kernel,
  settings: ChatSettings,
  realm: Realm,
  username: string,
): Promise<Key> {
  if (settings.nodeEnv === 'production' || !settings.authMethods.includes('dev')) throw notADevelopmentServer();
  if (username.length > MAX_EMAIL_LENGTH || !isEmail(exactEmail(username))) throw notAnEmail();
  const user = await users.byEmail(kernel.mysql, realm.id, username);
  // Nobody may log in as the server's own account.
  if (!user || isSystemBot(user)) throw unregistered();
  ensureMayEnter(user, realm);
  return keyOf(kernel, user);
}

/** Refuses users without the second factor that their organisation requires. */
export async function keyOf(kernel: Kernel, user: User): Promise<Key> {
  await ensureHasFactor(kernel, user);
  const { keySealed } = await users.credentials(kernel.mysql, user.id);
  return { api_key: kernel.secrets.decrypt(keySealed), email: user.email };
}

export function ensureMayEnter(user: User, realm: Realm): void {
  if (!user.isActive) throw userDisabled();
  if (!realm.isActive) throw realmDisabled();
}
