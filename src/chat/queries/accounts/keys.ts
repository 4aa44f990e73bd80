/** Users and webhook bots of API keys, and keys of users. */
import { hash } from 'node:crypto';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { exactEmail, isSameEmail, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import type { ShownKey } from '../../../kernel/secrets/key-lookups';
import type { Wire } from '../../../kernel/text/wire';
import type { RealmDirectory } from '../../caches/realm-directory';
import type { loginAnswer } from '../../model/answers/users';
import {
  accountDeactivated,
  badRequest,
  invalidKey,
  invalidWebhookKey,
  malformedKey,
  notADevelopmentServer,
  notAnEmail,
  realmDeactivated,
  realmDisabled,
  unregistered,
  userDisabled,
  wrongSubdomain,
  wrongWebhookSubdomain,
} from '../../model/faults';
import type { Realm } from '../../model/organisation/realm';
import { INCOMING_WEBHOOK, isEmail, isKeyShaped, type User } from '../../model/users/user';
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
  return atHome(chat.realms, await findHolder(chat, { key }, from), host);
}

/** With an address, the key must be that user's. */
export async function findHolder(
  kernel: Storage & Pick<Kernel, 'keys'>,
  { key, email }: { readonly key: string; readonly email?: string },
  from: string,
): Promise<User> {
  const found = await lookUp(kernel, { keyHash: kernel.secrets.lookup(key), from });
  // The same error whether the key is unknown or belongs to another user.
  if (!found || (email !== undefined && !isSameEmail(found.user.email, email))) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  return found.user;
}

const lookUp = (kernel: Pick<Kernel, 'keys' | 'mysql'>, shown: ShownKey) =>
  kernel.keys.find(shown, () => users.byKeyHash(kernel.mysql, shown.keyHash));

/** The account must belong to the host's organisation. */
export async function atHome(realms: RealmDirectory, user: User, host: string): Promise<User> {
  if (!(await isAt(realms, user.realmId, host))) throw wrongSubdomain();
  return user;
}

export type Key = Wire<typeof loginAnswer>;

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

export interface WebhookKey {
  readonly key: string;
  /** The bot's email address; empty if the service sent the key alone. */
  readonly email: string;
}

export async function findWebhookBot(
  chat: Storage & Pick<Chat, 'keys' | 'realms' | 'webhookBots'>,
  { key, email }: WebhookKey,
  { host, ip: from }: Incoming,
): Promise<User> {
  if (!isKeyShaped(key)) throw invalidWebhookKey();
  // A plain hash takes a fifth of the time of the keyed hash, and never leaves this process.
  const bot = await chat.webhookBots.get(hash('sha256', key), () =>
    read(chat, { keyHash: chat.secrets.lookup(key), from }),
  );
  if (email !== '' && !isSameEmail(bot.email, email)) throw invalidWebhookKey();
  if (!(await isAt(chat.realms, bot.realmId, host))) throw wrongWebhookSubdomain();
  return bot;
}

async function read(kernel: Pick<Kernel, 'keys' | 'mysql'>, shown: ShownKey): Promise<User> {
  const found = await lookUp(kernel, shown);
  if (!found || found.user.botType !== INCOMING_WEBHOOK || !found.isRealmActive) throw invalidWebhookKey();
  if (!found.user.isActive) throw badRequest('Account is deactivated');
  return found.user;
}
