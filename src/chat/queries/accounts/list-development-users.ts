/** The users that anyone may log in as on a development server. */
import { ensure } from '../../../kernel/fault';
import { notADevelopmentServer } from '../../model/faults';
import type { Realm } from '../../model/organisation/realm';
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import * as users from '../../store/users/users';

export async function listDevelopmentUsers(
  chat: Chat,
  settings: ChatSettings,
  realm: Realm,
): Promise<Record<string, unknown>> {
  const isOpen = settings.nodeEnv !== 'production' && settings.authMethods.includes('dev');
  ensure(isOpen, notADevelopmentServer());
  const url = await chat.realms.publicUrl(realm.id);
  const people = (await users.list(chat.kernel.mysql, realm.id)).filter(
    (user) => user.isActive && user.botType === null,
  );
  const brief = (isAdmin: boolean) =>
    people.filter(({ role }) => (role === 'admin') === isAdmin).map(({ email }) => ({ email, realm_uri: url }));
  return { direct_admins: brief(true), direct_users: brief(false) };
}
