/** All organisations on this server, with their host names, for operators. */
import type { Kernel } from '../../../kernel/kernel';
import type { Realm } from '../../model/organisation/realm';
import * as realmHosts from '../../store/organisation/realm-hosts';
import * as realms from '../../store/organisation/realms';

export interface RealmLine {
  readonly realm: Realm;
  readonly hosts: readonly string[];
}

export async function listRealms({ mysql }: Kernel): Promise<RealmLine[]> {
  const [found, hosts] = await Promise.all([realms.list(mysql), realmHosts.list(mysql)]);
  return found.map((realm) => ({
    realm,
    hosts: hosts.filter(({ realmId }) => realmId === realm.id).map(({ host }) => host),
  }));
}
