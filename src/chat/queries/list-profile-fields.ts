/** What an organisation asks of its people. */
import type { Kernel } from '../../kernel/kernel';
import type { ProfileField } from '../model/profile-field';
import type { RealmId } from '../model/realm';
import * as fields from '../store/profile-fields';

export const listProfileFields = (kernel: Pick<Kernel, 'mysql'>, realmId: RealmId): Promise<ProfileField[]> =>
  fields.list(kernel.mysql, realmId);
