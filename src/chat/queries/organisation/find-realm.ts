/** The organisation a request is for, which its Host decides, and whether somebody is at home there. */
import { invalidSubdomain } from '../../model/faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';

export interface RealmWithUrl {
  readonly realm: Realm;
  readonly url: string;
}

/** None on the bare domain of a server with several. Without a host, the only one there is. */
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

/** Asks MySQL nothing where the host is known. */
export async function getRealmId(chat: Chat, host: string): Promise<RealmId> {
  const place = await chat.realms.place(host);
  if (place === 'nowhere' || place === 'bare') throw invalidSubdomain();
  return place;
}

export async function isAt(chat: Chat, realmId: RealmId, host: string): Promise<boolean> {
  return (await chat.realms.place(host)) === realmId;
}
