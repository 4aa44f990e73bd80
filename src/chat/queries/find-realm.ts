/** The organisation a request is for. There is one on each server until subdomains tell several apart. */
import type { Kernel } from '../../kernel/kernel';
import { noSuchRealm } from '../model/faults';
import type { Realm } from '../model/realm';
import * as realms from '../store/realms';

export const findRealm = (kernel: Kernel): Promise<Realm | undefined> => realms.bySubdomain(kernel.mysql, '');

export async function getRealm(kernel: Kernel): Promise<Realm> {
  const realm = await findRealm(kernel);
  if (!realm) throw noSuchRealm();
  return realm;
}
