/** Returns the user's current state for delivering events: their role may have changed since authentication. */
import { accountDeactivated, realmDeactivated } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';

/** Call it only while the organisation's log is followed. Before later use, check `changedUsers` again. */
export async function findReader(chat: Pick<Chat, 'changedUsers' | 'mysql'>, by: User): Promise<User> {
  const changes = chat.changedUsers;
  if (changes.isCurrent(by)) return by;
  const at = changes.now;
  const { mysql } = chat;
  const [user, realm] = await Promise.all([users.byId(mysql, by.realmId, by.id), realms.byId(mysql, by.realmId)]);
  if (!user?.isActive) throw accountDeactivated();
  if (!realm?.isActive) throw realmDeactivated();
  return changes.lookedUp(user, at);
}
