/** The domains of an organisation, and whether an address may join by them. */
import type { Kernel } from '../../kernel/kernel';
import type { Wire } from '../../kernel/wire';
import type { realmDomain } from '../model/answers/organisation';
import { addressNotAllowed, aliasNotAllowed } from '../model/organisation-faults';
import type { RealmId } from '../model/realm';
import { admitsAddress, wireDomain } from '../model/realm-domain';
import * as domains from '../store/realm-domains';
import * as realms from '../store/realms';

type Parts = Pick<Kernel, 'mysql'>;

export async function listRealmDomains({ mysql }: Parts, realmId: RealmId): Promise<Wire<typeof realmDomain>[]> {
  return (await domains.list(mysql, realmId)).map(wireDomain);
}

/** Bots have no address of their own: this is for people. */
export async function checkAddress({ mysql }: Parts, realmId: RealmId, email: string): Promise<void> {
  const realm = await realms.byId(mysql, realmId);
  if (realm?.settings.emails_restricted_to_domains !== true) return;
  const verdict = admitsAddress(await domains.list(mysql, realmId), email);
  if (verdict === 'alias') throw aliasNotAllowed();
  if (verdict === 'foreign') throw addressNotAllowed(email);
}
