/** Finds a user by id, for administrators. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { noSuchUser } from '../../model/faults';
import type { User } from '../../model/users/user';
import { ensureAdmin, isSystemBot } from '../../model/users/user-policy';
import * as users from '../../store/users/users';

export async function getUserForAdmin(kernel: Kernel, by: User, id: number): Promise<User> {
  ensureAdmin(by);
  const user = await users.byId(kernel.mysql, by.realmId, id);
  ensure(user !== undefined && !isSystemBot(user), noSuchUser());
  return user;
}
