/** Who a Basic authorization header speaks for. */
import { isSameEmail } from '../../kernel/email-key';
import { findByKey } from '../../kernel/key-lookups';
import type { Kernel } from '../../kernel/kernel';
import { changedUsers } from '../actors/changed-users';
import { realmPolls } from '../actors/event-ring/realm-polls';
import { recentCallers, type ShownCaller } from '../actors/recent-callers';
import { askedHost } from '../model/address';
import { callerKey, readBasic, type BasicCredentials } from '../model/credentials';
import { accountDeactivated, invalidKey, realmDeactivated, wrongSubdomain } from '../model/faults';
import type { User } from '../model/user';
import * as users from '../store/users';
import { recallPlace } from './find-place';
import { isAt } from './find-realm';

/** What a request shows, and the address it comes from. */
export interface Shown {
  readonly authorization: string;
  readonly host: string;
  readonly from: string;
}

/** The account must be of the organisation that the host is of. */
export async function findCaller(kernel: Kernel, shown: Shown): Promise<User> {
  return findHolder(kernel, readBasic(shown.authorization), shown);
}

async function findHolder(kernel: Kernel, { email, key }: BasicCredentials, { host, from }: Shown): Promise<User> {
  const keyHash = kernel.secrets.lookup(key);
  const found = await findByKey(kernel, { keyHash, from }, () => users.byKeyHash(kernel.mysql, keyHash));
  // The same words whether the key is unknown or another's.
  if (!found || !isSameEmail(found.user.email, email)) throw invalidKey();
  if (!found.user.isActive) throw accountDeactivated();
  if (!found.isRealmActive) throw realmDeactivated();
  return atHome(kernel, found.user, host);
}

/** For calls of which there are many: whoever was let in before is let in again until something changes. */
export async function findRecentCaller(kernel: Kernel, shown: Shown): Promise<User> {
  const recent = recentCallers(kernel);
  const credentials = readBasic(shown.authorization);
  const compared = { caller: callerKey(credentials), host: askedHost(shown.host) };
  const known = recent.recall(compared);
  if (known) return atHome(kernel, known, shown.host);
  const changes = changedUsers(kernel);
  const at = changes.now;
  const user = await recent.remember(compared, () => findHolder(kernel, credentials, shown));
  changes.lookedUp(user, at);
  // Only where their organisation is listened to may anybody be remembered.
  realmPolls(kernel, user.realmId).catch((error: Error) => kernel.log.debug({ error }, 'could not listen'));
  return user;
}

/** What the headers of a connection mean: they are the same from poll to poll, and read once. */
const meanings = new WeakMap<object, ShownCaller | 'nobody'>();

/** The same, at once or not at all. */
export function recallCaller(kernel: Kernel, shown: Omit<Shown, 'from'>): User | undefined {
  let meaning = meanings.get(shown);
  if (meaning === undefined) meanings.set(shown, (meaning = meaningOf(shown)));
  if (meaning === 'nobody') return undefined;
  const user = recentCallers(kernel).recall(meaning);
  return user && recallPlace(kernel, meaning.host) === user.realmId ? user : undefined;
}

function meaningOf({ authorization, host }: Omit<Shown, 'from'>): ShownCaller | 'nobody' {
  try {
    return { caller: callerKey(readBasic(authorization)), host: askedHost(host) };
  } catch {
    // What is wrong with them is said in the ordinary way.
    return 'nobody';
  }
}

async function atHome(kernel: Kernel, user: User, host: string): Promise<User> {
  if (!(await isAt(kernel, user.realmId, host))) throw wrongSubdomain();
  return user;
}
