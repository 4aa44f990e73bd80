/** Finds the organisation of a request by its Host, and checks whether a user belongs to it. */
import type { Database } from '../../../kernel/mysql/pool';
import type { RealmDirectory } from '../../caches/realm-directory';
import { invalidSubdomain } from '../../model/faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realmHosts from '../../store/organisation/realm-hosts';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';

type Parts = Pick<Chat, 'mysql' | 'realms'>;

export interface RealmWithUrl {
  readonly realm: Realm;
  readonly url: string;
}

/** Undefined on the bare domain of a server with several organisations. Without a host, finds the only one. */
async function findRealm(chat: Parts, host = ''): Promise<Realm | undefined> {
  const place = await chat.realms.place(host);
  if (place === 'nowhere') throw invalidSubdomain();
  return place === 'bare' ? undefined : realms.byId(chat.mysql, place);
}

export async function findRealmWithUrl(chat: Parts, host: string): Promise<RealmWithUrl | undefined> {
  const realm = await findRealm(chat, host);
  return realm && { realm, url: await chat.realms.publicUrl(realm.id) };
}

export async function getRealm(chat: Parts, host = ''): Promise<Realm> {
  const realm = await findRealm(chat, host);
  if (!realm) throw invalidSubdomain();
  return realm;
}

export const getOwnRealm = async (db: Database, by: User): Promise<Realm> => (await realms.byId(db, by.realmId))!;

/** Needs no MySQL query if the host is cached. */
export async function getRealmId(realms: RealmDirectory, host: string): Promise<RealmId> {
  const place = await realms.place(host);
  if (place === 'nowhere' || place === 'bare') throw invalidSubdomain();
  return place;
}

export async function isAt(realms: RealmDirectory, realmId: RealmId, host: string): Promise<boolean> {
  return (await realms.place(host)) === realmId;
}

export interface RealmLine {
  readonly realm: Realm;
  readonly hosts: readonly string[];
}

/** All organisations on this server, for operators. */
export async function listRealms(db: Database): Promise<RealmLine[]> {
  const [found, hosts] = await Promise.all([realms.list(db), realmHosts.list(db)]);
  return found.map((realm) => ({
    realm,
    hosts: hosts.filter(({ realmId }) => realmId === realm.id).map(({ host }) => host),
  }));
}

/** Counts organisations and accounts, including bots and deactivated ones. */
export async function countAccounts(db: Database): Promise<{ realms: number; users: number }> {
  return { realms: await realms.count(db), users: await users.count(db) };
}
