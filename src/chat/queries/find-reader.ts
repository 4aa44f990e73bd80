/** A user as they are now, for handing out events: their role may have changed since the request was let in. */
import type { Kernel } from '../../kernel/kernel';
import { changedUsers } from '../actors/changed-users';
import { accountDeactivated } from '../model/faults';
import type { User } from '../model/user';
import * as users from '../store/users';

/** Only once the organisation's log is followed. Whoever uses the answer later asks `changedUsers` again. */
export async function findReader(kernel: Kernel, by: User): Promise<User> {
  const changes = changedUsers(kernel);
  if (changes.isCurrent(by)) return by;
  const at = changes.now;
  const user = await users.byId(kernel.mysql, by.realmId, by.id);
  if (!user?.isActive) throw accountDeactivated();
  return changes.lookedUp(user, at);
}
