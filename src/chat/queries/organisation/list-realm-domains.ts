/** An organisation's domains, and whether they admit an address. */
import type { Kernel } from '../../../kernel/kernel';
import type { Wire } from '../../../kernel/text/wire';
import type { realmDomain } from '../../model/answers/organisation';
import { addressNotAllowed, aliasNotAllowed } from '../../model/organisation/organisation-faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import { admitsAddress, wireDomain } from '../../model/organisation/realm-domain';
import * as domains from '../../store/organisation/realm-domains';
import * as realms from '../../store/organisation/realms';

type Parts = Pick<Kernel, 'mysql'>;

export async function listRealmDomains({ mysql }: Parts, realmId: RealmId): Promise<Wire<typeof realmDomain>[]> {
  return (await domains.list(mysql, realmId)).map(wireDomain);
}

export type AddressVerdict = ReturnType<typeof admitsAddress>;

/** For users only: bots have no address of their own. */
export async function judgeAddresses({ mysql }: Parts, realm: Realm): Promise<(email: string) => AddressVerdict> {
  if (!realm.settings.emails_restricted_to_domains) return () => 'admitted';
  const listed = await domains.list(mysql, realm.id);
  return (email) => admitsAddress(listed, email);
}

export async function checkAddress(parts: Parts, realmId: RealmId, email: string): Promise<void> {
  const realm = (await realms.byId(parts.mysql, realmId))!;
  const verdict = (await judgeAddresses(parts, realm))(email);
  if (verdict === 'alias') throw aliasNotAllowed();
  if (verdict === 'foreign') throw addressNotAllowed(email);
}
