/** A user as they are now, for handing out events: their role may have changed since the request was let in. */
import { accountDeactivated, realmDeactivated } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';

/** Only once the organisation's log is followed. Whoever uses the answer later asks `changedUsers` again. */
export async function findReader(chat: Chat, by: User): Promise<User> {
  const changes = chat.changedUsers;
  if (changes.isCurrent(by)) return by;
  const at = changes.now;
  const { mysql } = chat.kernel;
  const [user, realm] = await Promise.all([users.byId(mysql, by.realmId, by.id), realms.byId(mysql, by.realmId)]);
  if (!user?.isActive) throw accountDeactivated();
  if (!realm?.isActive) throw realmDeactivated();
  return changes.lookedUp(user, at);
}
