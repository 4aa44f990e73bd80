/** Founds the organisation of a server that has no demo data. */
import type { Kernel } from '../../kernel/kernel';
import { isDuplicate } from '../../kernel/mysql/outcome';
import { realmExists } from '../model/faults';
import type { RealmId } from '../model/realm';
import * as realms from '../store/realms';

export async function createRealm(kernel: Kernel, realm: { name: string; description: string }): Promise<RealmId> {
  try {
    return await kernel.transaction((tx) => realms.insert(tx.db, { subdomain: '', ...realm }));
  } catch (error) {
    if (isDuplicate(error)) throw realmExists();
    throw error;
  }
}
