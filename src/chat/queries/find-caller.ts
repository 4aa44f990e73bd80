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
  wrongSubdomain,
} from '../model/faults';
import { isKeyShaped, type User } from '../model/user';
import * as users from '../store/users';
import { isAt } from './find-realm';

/** The account must be of the organisation that the host is of. */
export async function findCaller(kernel: Kernel, header: string, host: string): Promise<User> {
  const { email, key } = readBasic(header);
  if (!isKeyShaped(key)) throw malformedKey();
  const found = await users.byKeyHash(kernel.mysql, kernel.secrets.lookup(key));
  // The same words whether the key is unknown or another's.
  if (!found || found.user.email.toLowerCase() !== email.toLowerCase()) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  return atHome(kernel, found.user, host);
}

/** For polls, of which there are many: whoever was let in a moment ago is let in again. */
export async function findRecentCaller(kernel: Kernel, header: string, host: string): Promise<User> {
  const recent = recallCaller(kernel, header);
  if (recent) return atHome(kernel, recent, host);
  const user = await findCaller(kernel, header, host);
  rememberCaller(kernel, header, user);
  return user;
}

async function atHome(kernel: Kernel, user: User, host: string): Promise<User> {
  if (!(await isAt(kernel, user.realmId, host))) throw wrongSubdomain();
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
