/** Users of API keys, and keys of users. */
import { exactEmail, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import type { Storage } from '../../../kernel/kernel';
import {
  accountDeactivated,
  invalidKey,
  malformedKey,
  notADevelopmentServer,
  notAnEmail,
  realmDeactivated,
  realmDisabled,
  unregistered,
  userDisabled,
  wrongSubdomain,
} from '../../model/faults';
import type { Realm } from '../../model/organisation/realm';
import { isEmail, isKeyShaped, type User } from '../../model/users/user';
import { isSystemBot } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import * as users from '../../store/users/users';
import { isAt } from '../organisation/find-realm';
import { ensureHasFactor } from './get-two-factor';

type Parts = Storage & Pick<Chat, 'keys' | 'realms'>;

/** The host that the request addresses, and the client's IP address. */
export interface Incoming {
  readonly host: string;
  readonly ip: string;
}

export async function findKeyHolder(chat: Parts, key: string, { host, ip: from }: Incoming): Promise<User> {
  if (!isKeyShaped(key)) throw malformedKey();
  const keyHash = chat.secrets.lookup(key);
  const found = await chat.keys.find({ keyHash, from }, () => users.byKeyHash(chat.mysql, keyHash));
  if (!found) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  if (!(await isAt(chat.realms, found.user.realmId, host))) throw wrongSubdomain();
  return found.user;
}

export interface Key {
  readonly api_key: string;
  readonly email: string;
}

/** Returns a user's own API key. A development server hands out any user's key. */
export async function fetchDevelopmentKey(
  kernel: Storage,
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
export async function keyOf(kernel: Storage, user: User): Promise<Key> {
  await ensureHasFactor(kernel.mysql, user);
  const { keySealed } = await users.credentials(kernel.mysql, user.id);
  return { api_key: kernel.secrets.decrypt(keySealed), email: user.email };
}

export function ensureMayEnter(user: User, realm: Realm): void {
  if (!user.isActive) throw userDisabled();
  if (!realm.isActive) throw realmDisabled();
}
