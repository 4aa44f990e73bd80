/** Rows of chat_push_subscriptions: people's devices that receive pushes. */
import type { Knex } from 'knex';
import { pushDevicesIn } from '../../../kernel/push/push-devices';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

const TABLE = 'chat_push_subscriptions';

export const pushDevices = pushDevicesIn(TABLE, 'user_id');

export interface OwnedDevice {
  readonly id: number;
  readonly userId: UserId;
}

export const ofUsers = (db: Knex, userIds: readonly UserId[]): Promise<OwnedDevice[]> =>
  db(TABLE).whereIn('user_id', userIds).orderBy('id').select('id', { userId: 'user_id' });

export const isAnyIn = async (db: Knex, realmId: RealmId): Promise<boolean> =>
  (await db(TABLE).where({ realm_id: realmId }).first('id')) !== undefined;
