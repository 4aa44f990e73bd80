/** Locks a user out. What they wrote stays. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import * as users from '../store/users';

export async function deactivateUser(kernel: Kernel, user: User): Promise<void> {
  await kernel.transaction((tx) => users.setActive(tx.db, user.id, false));
}
