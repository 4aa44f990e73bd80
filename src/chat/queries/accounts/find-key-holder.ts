/** Finds the user of an API key, for links that carry nothing but the key. */
import { accountDeactivated, invalidKey, malformedKey, realmDeactivated, wrongSubdomain } from '../../model/faults';
import { isKeyShaped, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as users from '../../store/users/users';
import { isAt } from '../organisation/find-realm';

/** The host that the request addresses, and the client's IP address. */
export interface Incoming {
  readonly host: string;
  readonly ip: string;
}

export async function findKeyHolder(chat: Chat, key: string, { host, ip: from }: Incoming): Promise<User> {
  if (!isKeyShaped(key)) throw malformedKey();
  const keyHash = chat.kernel.secrets.lookup(key);
  const found = await chat.kernel.keys.find({ keyHash, from }, () => users.byKeyHash(chat.kernel.mysql, keyHash));
  if (!found) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  if (!(await isAt(chat, found.user.realmId, host))) throw wrongSubdomain();
  return found.user;
}
