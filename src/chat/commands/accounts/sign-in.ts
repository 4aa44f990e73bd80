/** Signs users in with a browser: by password, or on a development server as any user. */
import { MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure, Fault } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { badCredentials } from '../../../kernel/sessions/page-faults';
import type { Browser } from '../../../kernel/sessions/page-session';
import { notADevelopmentServer } from '../../model/faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { isBot } from '../../model/users/user-policy';
import { isForDevelopment } from '../../queries/accounts/describe-session';
import { ensureMayEnter } from '../../queries/accounts/keys';
import type { ChatSettings } from '../../settings';
import * as users from '../../store/users/users';
import { checkSecondFactor, type GivenCode } from './two-factor';
import { checkPassword } from './log-in';
import { openSession } from './sessions';

interface SignIn extends Browser, GivenCode {
  readonly email: string;
  readonly password: string;
}

export interface SignedIn {
  readonly user: User;
  readonly token: string;
}

export async function signIn(
  kernel: Storage & Pick<Kernel, 'log' | 'passwords'>,
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
