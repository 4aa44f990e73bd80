/** Reactivates a user, with their former API key. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import * as users from '../../store/users/users';
import { ensureRoom, publishArrival } from './create-user';

export async function reactivateUser(kernel: Kernel, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    const standing = await users.lock(tx.db, user.realmId, user.id);
    if (!standing || standing.isActive) return;
    if (standing.botType === null) await ensureRoom(tx, user.realmId);
    await users.setActive(tx.db, user.id, true);
    await publishArrival(tx, { ...standing, isActive: true });
    tx.deliver(accessChanged(user.realmId, user.id));
  });
}
