/** Everybody in an organisation, bots and deactivated accounts included; for those who run the server. */
import type { Kernel } from '../../kernel/kernel';
import type { RealmId } from '../model/realm';
import type { User } from '../model/user';
import * as users from '../store/users';

export const listUsers = (kernel: Kernel, realmId: RealmId): Promise<User[]> => users.list(kernel.mysql, realmId);
