/** Rows of chat_push_subscriptions: people's devices that receive pushes. */
import type { Knex } from 'knex';
import { pushDevicesIn } from '../../../kernel/push/push-devices';
import type { UserId } from '../../model/users/user';

const TABLE = 'chat_push_subscriptions';

export const pushDevices = pushDevicesIn(TABLE, 'user_id');

export interface OwnedDevice {
  readonly id: number;
  readonly userId: UserId;
  readonly createdAt: Date;
}

export const ofUsers = (db: Knex, userIds: readonly UserId[]): Promise<OwnedDevice[]> =>
  db(TABLE).whereIn('user_id', userIds).orderBy('id').select('id', { userId: 'user_id', createdAt: 'created_at' });
