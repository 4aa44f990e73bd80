/** Rows of chat_push_devices: mobile devices registered for push notifications. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';
import { put } from '../rows';

export interface PushDevice {
  readonly userId: UserId;
  readonly kind: 'apns' | 'gcm';
  readonly token: string;
  readonly appId: string;
}

export async function add(db: Knex, { userId, kind, token, appId }: PushDevice): Promise<void> {
  await put(db('chat_push_devices'), { user_id: userId, kind, token }, { app_id: appId });
}

/** Returns whether it existed. */
export async function remove(db: Knex, { userId, kind, token }: Omit<PushDevice, 'appId'>): Promise<boolean> {
  return (await db('chat_push_devices').where({ user_id: userId, kind, token }).delete()) > 0;
}
