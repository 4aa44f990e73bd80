/** The state of a browser session, for a page that opens: who is signed in, or how to sign in. */
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { pageTokenOf } from '../../../kernel/sessions/page-session';
import type { SessionAnswer, SignedInAnswer } from '../../model/answers/sessions';
import type { User } from '../../model/users/user';
import { isBot } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import * as users from '../../store/users/users';
import { findRealmWithUrl, type RealmWithUrl } from '../organisation/find-realm';
import { serverSettings } from '../organisation/server-settings';
import { getTwoFactor } from './get-two-factor';
import { listOpenIdMethods } from './list-openid-providers';

type Parts = Pick<Chat, 'mysql' | 'realms'>;

/** Development servers have few users, and a longer list would not help. */
const MAX_DEMO_ACCOUNTS = 20;

function organisationOf(settings: ChatSettings, at: RealmWithUrl | undefined) {
  const { realm_name: name = '', realm_icon: icon = '' } = serverSettings(settings, at, '');
  return at ? { name, icon_url: icon } : null;
}

export async function describeSession(
  chat: Storage & Pick<Chat, 'realms'>,
  settings: ChatSettings,
  { user, token, host }: { readonly user: User; readonly token: string; readonly host: string },
): Promise<SignedInAnswer> {
  return {
    signed_in: true,
    token: pageTokenOf(chat.secrets, token),
    user_id: user.id,
    email: user.email,
    full_name: user.fullName,
    organisation: organisationOf(settings, await findRealmWithUrl(chat, host)),
    two_factor: await getTwoFactor(chat.mysql, user),
  };
}

export async function describeSignIn(chat: Parts, settings: ChatSettings, host: string): Promise<SessionAnswer> {
  const at = await findRealmWithUrl(chat, host);
  return {
    signed_in: false,
    organisation: organisationOf(settings, at),
    methods: {
      password: settings.authMethods.includes('password'),
      openid: at ? await listOpenIdMethods(chat.mysql, at.realm.id) : [],
    },
    has_portal: settings.hasPortal ?? false,
    ...(at && isForDevelopment(settings) ? { demo_accounts: await demoAccounts(chat.mysql, at) } : {}),
  };
}

export const isForDevelopment = ({ nodeEnv, authMethods }: ChatSettings): boolean =>
  nodeEnv !== 'production' && authMethods.includes('dev');

async function demoAccounts(db: Database, { realm }: RealmWithUrl) {
  const people = (await users.list(db, realm.id)).filter((user) => user.isActive && !isBot(user));
  return people.slice(0, MAX_DEMO_ACCOUNTS).map(({ email, fullName }) => ({ email, full_name: fullName }));
}
