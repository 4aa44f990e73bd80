/** Somebody by address, active or not. */
import type { Kernel } from '../../kernel/kernel';
import type { RealmId } from '../model/realm';
import type { User } from '../model/user';
import * as users from '../store/users';

export const findUser = (kernel: Kernel, realmId: RealmId, email: string): Promise<User | undefined> =>
  users.byEmail(kernel.mysql, realmId, email);
