/** Who a Basic authorization header speaks for. */
import type { Kernel } from '../../kernel/kernel';
import { recallCaller, rememberCaller } from '../actors/recent-callers';
import {
  accountDeactivated,
  badAuthorizationHeader,
  basicRequired,
  invalidKey,
  malformedKey,
  notLoggedIn,
  realmDeactivated,
} from '../model/faults';
import { isKeyShaped, type User } from '../model/user';
import * as users from '../store/users';

export async function findCaller(kernel: Kernel, header: string): Promise<User> {
  const { email, key } = readBasic(header);
  if (!isKeyShaped(key)) throw malformedKey();
  const found = await users.byKeyHash(kernel.mysql, kernel.secrets.lookup(key));
  // The same words whether the key is unknown or another's.
  if (!found || found.user.email.toLowerCase() !== email.toLowerCase()) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  return found.user;
}

/** For polls, of which there are many: whoever was let in a moment ago is let in again. */
export async function findRecentCaller(kernel: Kernel, header: string): Promise<User> {
  const recent = recallCaller(kernel, header);
  if (recent) return recent;
  const user = await findCaller(kernel, header);
  rememberCaller(kernel, header, user);
  return user;
}

function readBasic(header: string): { email: string; key: string } {
  if (header === '') throw notLoggedIn();
  const [scheme = '', encoded = ''] = header.split(/\s+/);
  if (scheme.toLowerCase() !== 'basic') throw basicRequired();
  const parts = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (parts.length !== 2) throw badAuthorizationHeader();
  return { email: parts[0]!, key: parts[1]! };
}
