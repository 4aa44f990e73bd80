/** An organisation's custom profile fields. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import type { ProfileField } from '../../model/users/profile-field';
import * as fields from '../../store/users/profile-fields';

export const listProfileFields = (kernel: Pick<Kernel, 'mysql'>, realmId: RealmId): Promise<ProfileField[]> =>
  fields.list(kernel.mysql, realmId);
