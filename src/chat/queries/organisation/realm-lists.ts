/** An organisation's custom emoji, linkifiers and domains, and whether the domains admit an address. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type { realmDomain } from '../../model/answers/organisation';
import { addressNotAllowed, aliasNotAllowed } from '../../model/organisation/organisation-faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import { admitsAddress, wireDomain } from '../../model/organisation/realm-domain';
import { wireEmoji } from '../../model/organisation/realm-emoji';
import * as linkifiers from '../../store/organisation/linkifiers';
import * as domains from '../../store/organisation/realm-domains';
import * as emoji from '../../store/organisation/realm-emoji';
import * as realms from '../../store/organisation/realms';

export const listRealmEmoji = async (db: Database, realmId: RealmId): Promise<Record<string, unknown>> =>
  wireEmoji(realmId, await emoji.list(db, realmId));

export const listLinkifiers = async (db: Database, realmId: RealmId): Promise<[string, string, number][]> =>
  (await linkifiers.list(db, realmId)).map(({ id, pattern, urlFormat }) => [pattern, urlFormat, id]);

export const listRealmDomains = async (db: Database, realmId: RealmId): Promise<Wire<typeof realmDomain>[]> =>
  (await domains.list(db, realmId)).map(wireDomain);

export type AddressVerdict = ReturnType<typeof admitsAddress>;

/** For users only: bots have no address of their own. */
export async function judgeAddresses(db: Database, realm: Realm): Promise<(email: string) => AddressVerdict> {
  if (!realm.settings.emails_restricted_to_domains) return () => 'admitted';
  const listed = await domains.list(db, realm.id);
  return (email) => admitsAddress(listed, email);
}

export async function checkAddress(db: Database, realmId: RealmId, email: string): Promise<void> {
  const verdict = (await judgeAddresses(db, (await realms.byId(db, realmId))!))(email);
  if (verdict === 'alias') throw aliasNotAllowed();
  if (verdict === 'foreign') throw addressNotAllowed(email);
}
