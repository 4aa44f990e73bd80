/** Finds a user by email address, active or not. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import * as users from '../../store/users/users';

export const findUser = (kernel: Kernel, realmId: RealmId, email: string): Promise<User | undefined> =>
  users.byEmail(kernel.mysql, realmId, email);
