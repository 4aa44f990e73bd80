/** An organisation's user groups. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import * as groups from '../../store/users/user-groups';

export const listUserGroups = (kernel: Pick<Kernel, 'mysql'>, realmId: RealmId): Promise<groups.UserGroup[]> =>
  groups.list(kernel.mysql, realmId);
