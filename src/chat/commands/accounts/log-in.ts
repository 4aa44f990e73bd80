/** Logs users in at the API and with a browser: by password, or on a development server as any user. */
import { ensure, Fault } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Requester } from '../../../kernel/passwords/password-queue';
import { emailKey, MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { badCredentials } from '../../../kernel/sessions/page-faults';
import type { Browser } from '../../../kernel/sessions/page-session';
import { DEMO_PASSWORD } from '../../model/accounts/credentials';
import { invalidSubdomain, notADevelopmentServer, passwordsDisabled, wrongPassword } from '../../model/faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { isBot } from '../../model/users/user-policy';
import { isForDevelopment } from '../../queries/accounts/describe-session';
import { ensureMayEnter, type Key, keyOf } from '../../queries/accounts/keys';
import type { ChatSettings } from '../../settings';
import * as realms from '../../store/organisation/realms';
import { replaceHash } from '../../store/users/accounts';
import * as users from '../../store/users/users';
import { openSession } from './sessions';
import { checkSecondFactor, type GivenCode } from './two-factor';

type Parts = Storage & Pick<Kernel, 'log' | 'passwords'>;

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
  kernel: Parts,
  settings: ChatSettings,
  realmId: RealmId,
  login: Login & GivenCode,
): Promise<Key | (Key & { readonly user_id: number })> {
  const { user } = await checkPassword(kernel, settings, realmId, login);
  await checkSecondFactor(kernel, user, login);
  const key = await keyOf(kernel, user);
  return settings.chatFeatureLevel === 'on' ? { ...key, user_id: user.id } : key;
}

interface Checked {
  readonly user: User;
  readonly passwordHash: string;
}

/** Returns the user whose password it is. */
async function checkPassword(kernel: Parts, settings: ChatSettings, realmId: RealmId, login: Login): Promise<Checked> {
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
  const checked = { user, passwordHash: stored };
  return kernel.passwords.isOutdated(stored) ? renewHash(kernel, checked, password, requester) : checked;
}

/** Best effort: a failure is harmless, because the next login tries again. */
async function renewHash(kernel: Parts, checked: Checked, password: string, requester: Requester): Promise<Checked> {
  const { user, passwordHash: outdated } = checked;
  try {
    const passwordHash = await kernel.passwords.hash(password, requester);
    await kernel.transaction((tx) => replaceHash(tx.db, user.id, outdated, passwordHash));
    return { user, passwordHash };
  } catch (error) {
    kernel.log.debug({ error }, 'could not rehash a password');
    return checked;
  }
}

interface SignIn extends Browser, GivenCode {
  readonly email: string;
  readonly password: string;
}

export interface SignedIn {
  readonly user: User;
  readonly token: string;
}

export async function signIn(
  kernel: Parts,
  settings: ChatSettings,
  realmId: RealmId,
  login: SignIn,
): Promise<SignedIn> {
  const { email: username, password, agent, address } = login;
  const { user, passwordHash } = await checkPassword(kernel, settings, realmId, {
    username,
    password,
    from: address,
  }).catch(refuse);
  const hasFactor = await checkSecondFactor(kernel, user, login);
  return { user, token: await openSession(kernel, user, { agent, address, checked: { passwordHash, hasFactor } }) };
}

/** The API answers a wrong password with 403; the web page expects 401 and a code. */
function refuse(error: unknown): never {
  if (error instanceof Fault && error.fields['reason'] === 'incorrect_creds') throw badCredentials();
  throw error;
}

export async function signInForDevelopment(
  kernel: Storage,
  settings: ChatSettings,
  realm: Realm,
  { email, ...browser }: Browser & { readonly email: string },
): Promise<SignedIn> {
  ensure(isForDevelopment(settings), notADevelopmentServer());
  const user = email.length > MAX_EMAIL_LENGTH ? undefined : await users.byEmail(kernel.mysql, realm.id, email);
  ensure(user !== undefined && !isBot(user), badCredentials());
  ensureMayEnter(user, realm);
  return { user, token: await openSession(kernel, user, browser) };
}
