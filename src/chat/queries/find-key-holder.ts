/** Whose key this is, for links that carry nothing but a key. */
import type { Kernel } from '../../kernel/kernel';
import { accountDeactivated, invalidKey, malformedKey, realmDeactivated, wrongSubdomain } from '../model/faults';
import { isKeyShaped, type User } from '../model/user';
import * as users from '../store/users';
import { isAt } from './find-realm';

export async function findKeyHolder(kernel: Kernel, key: string, host: string): Promise<User> {
  if (!isKeyShaped(key)) throw malformedKey();
  const found = await users.byKeyHash(kernel.mysql, kernel.secrets.lookup(key));
  if (!found) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  if (!(await isAt(kernel, found.user.realmId, host))) throw wrongSubdomain();
  return found.user;
}
