/** Lets a deactivated user in again, with the key they had. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import * as users from '../store/users';

export async function reactivateUser(kernel: Kernel, user: User): Promise<void> {
  await kernel.transaction((tx) => users.setActive(tx.db, user.id, true));
}
