/** The users of an organisation, and the fields of their profiles. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import { known, runRead, together } from '../../../kernel/mysql/read-packet';
import { noSuchUser, notADevelopmentServer } from '../../model/faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import type { ProfileField } from '../../model/users/profile-field';
import type { User } from '../../model/users/user';
import { ensureAdmin, isSystemBot } from '../../model/users/user-policy';
import { member, profile } from '../../model/users/user-wire';
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import * as profiles from '../../store/users/profile-fields';
import * as users from '../../store/users/users';

export async function getUserForAdmin(db: Database, by: User, id: number): Promise<User> {
  ensureAdmin(by);
  const user = await users.byId(db, by.realmId, id);
  ensure(user !== undefined && !isSystemBot(user), noSuchUser());
  return user;
}

/** Finds a user by email address, active or not. */
export const findUser = (db: Database, realmId: RealmId, email: string): Promise<User | undefined> =>
  users.byEmail(db, realmId, email);

/** All users of an organisation, including bots and deactivated accounts. */
export const listUsers = (db: Database, realmId: RealmId): Promise<User[]> => users.list(db, realmId);

interface MemberWishes {
  readonly clientAvatar: boolean;
  readonly withProfiles: boolean;
  readonly withRoles: boolean;
}

/** As other users see them. */
export async function listMembers(
  db: Database,
  realmId: RealmId,
  wishes: MemberWishes,
): Promise<{ members: Record<string, unknown>[] }> {
  const { everybody, answers } = await runRead(
    db,
    together({
      everybody: users.listRead(realmId),
      answers: wishes.withProfiles ? profiles.answersRead(realmId) : known(undefined),
    }),
  );
  const emails = new Map(everybody.map(({ id, email }) => [id, email]));
  const view = {
    clientAvatar: wishes.clientAvatar,
    withRoles: wishes.withRoles,
    emailOf: (id: User['id']) => emails.get(id) ?? null,
    ...(answers ? { profiles: answers } : {}),
  };
  return { members: everybody.map((user) => member(user, view)) };
}

/** The users that anyone may log in as on a development server. */
export async function listDevelopmentUsers(
  chat: Pick<Chat, 'mysql' | 'realms'>,
  settings: ChatSettings,
  realm: Realm,
): Promise<Record<string, unknown>> {
  const isOpen = settings.nodeEnv !== 'production' && settings.authMethods.includes('dev');
  ensure(isOpen, notADevelopmentServer());
  const url = await chat.realms.publicUrl(realm.id);
  const people = (await users.list(chat.mysql, realm.id)).filter((user) => user.isActive && user.botType === null);
  const brief = (isAdmin: boolean) =>
    people.filter(({ role }) => (role === 'admin') === isAdmin).map(({ email }) => ({ email, realm_uri: url }));
  return { direct_admins: brief(true), direct_users: brief(false) };
}

/** A caller's own row: a cached caller may lack the newest pointer. */
export const getSelf = async (db: Database, by: User): Promise<User> => (await users.byId(db, by.realmId, by.id)) ?? by;

/** A user's own profile, in one round trip: apps request it on every start. */
export async function getProfile(db: Database, by: User): Promise<Record<string, unknown>> {
  const reads = { self: users.byIdRead(by.realmId, by.id), own: profiles.ownProfileRead(by) };
  const { self, own } = await runRead(db, together(reads));
  return { ...profile(self ?? by, own.lastMessage), profile_data: own.answers };
}

export const listProfileFields = (db: Database, realmId: RealmId): Promise<readonly ProfileField[]> =>
  profiles.list(db, realmId);
