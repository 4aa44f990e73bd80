/** Finds the organisation of a request by its Host, and checks whether a user belongs to it. */
import { invalidSubdomain } from '../../model/faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';

export interface RealmWithUrl {
  readonly realm: Realm;
  readonly url: string;
}

/** Undefined on the bare domain of a server with several organisations. Without a host, finds the only one. */
export async function findRealm(chat: Chat, host = ''): Promise<Realm | undefined> {
  const place = await chat.realms.place(host);
  if (place === 'nowhere') throw invalidSubdomain();
  return place === 'bare' ? undefined : realms.byId(chat.kernel.mysql, place);
}

export async function findRealmWithUrl(chat: Chat, host: string): Promise<RealmWithUrl | undefined> {
  const realm = await findRealm(chat, host);
  return realm && { realm, url: await chat.realms.publicUrl(realm.id) };
}

export async function getRealm(chat: Chat, host = ''): Promise<Realm> {
  const realm = await findRealm(chat, host);
  if (!realm) throw invalidSubdomain();
  return realm;
}

export const getOwnRealm = async ({ kernel }: Chat, by: User): Promise<Realm> =>
  (await realms.byId(kernel.mysql, by.realmId))!;

/** Needs no MySQL query if the host is cached. */
export async function getRealmId(chat: Chat, host: string): Promise<RealmId> {
  const place = await chat.realms.place(host);
  if (place === 'nowhere' || place === 'bare') throw invalidSubdomain();
  return place;
}

export async function isAt(chat: Chat, realmId: RealmId, host: string): Promise<boolean> {
  return (await chat.realms.place(host)) === realmId;
}
