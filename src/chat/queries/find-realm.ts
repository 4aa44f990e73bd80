/** The organisation a request is for, which its Host decides, and whether somebody is at home there. */
import type { Kernel } from '../../kernel/kernel';
import { invalidSubdomain } from '../model/faults';
import type { Realm, RealmId } from '../model/realm';
import * as realms from '../store/realms';
import { findPlace } from './find-place';
import { findPublicUrl } from './find-public-url';

export interface RealmWithUrl {
  readonly realm: Realm;
  readonly url: string;
}

/** None on the bare domain of a server with several. Without a host, the only one there is. */
export async function findRealm(kernel: Kernel, host = ''): Promise<Realm | undefined> {
  const place = await findPlace(kernel, host);
  if (place === 'nowhere') throw invalidSubdomain();
  return place === 'bare' ? undefined : realms.byId(kernel.mysql, place);
}

export async function findRealmWithUrl(kernel: Kernel, host: string): Promise<RealmWithUrl | undefined> {
  const realm = await findRealm(kernel, host);
  return realm && { realm, url: await findPublicUrl(kernel, realm.id) };
}

export async function getRealm(kernel: Kernel, host = ''): Promise<Realm> {
  const realm = await findRealm(kernel, host);
  if (!realm) throw invalidSubdomain();
  return realm;
}

/** Asks MySQL nothing where the host is known. */
export async function getRealmId(kernel: Kernel, host: string): Promise<RealmId> {
  const place = await findPlace(kernel, host);
  if (place === 'nowhere' || place === 'bare') throw invalidSubdomain();
  return place;
}

export async function isAt(kernel: Kernel, realmId: RealmId, host: string): Promise<boolean> {
  return (await findPlace(kernel, host)) === realmId;
}
