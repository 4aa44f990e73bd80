/** Who a Basic authorization header speaks for. */
import type { Kernel } from '../../kernel/kernel';
import { realmPolls } from '../actors/event-ring/realm-polls';
import { recentCallers, type Shown } from '../actors/recent-callers';
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
import { recallPlace } from './find-place';
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

/** For calls of which there are many: whoever was let in before is let in again until something changes. */
export async function findRecentCaller(kernel: Kernel, header: string, host: string): Promise<User> {
  const recent = recentCallers(kernel);
  const shown = { authorization: header, host };
  const known = recent.recall(shown);
  if (known) return atHome(kernel, known, host);
  const user = await recent.remember(shown, () => findCaller(kernel, header, host));
  // Only where their organisation is listened to may anybody be remembered.
  realmPolls(kernel, user.realmId).catch((error: Error) => kernel.log.debug({ error }, 'could not listen'));
  return user;
}

/** The same, at once or not at all. */
export function recallCaller(kernel: Kernel, shown: Shown): User | undefined {
  const user = recentCallers(kernel).recall(shown);
  return user && recallPlace(kernel, shown.host) === user.realmId ? user : undefined;
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
