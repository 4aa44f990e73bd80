/** Rows of chat_push_shown: the notifications that devices show, one of each conversation. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';
import { put } from '../rows';

const TABLE = 'chat_push_shown';

export interface Shown {
  readonly deviceId: number;
  readonly tag: string;
  /** The unread messages that it is about. */
  readonly messageIds: readonly number[];
}

/** As many as the column holds. */
export const MAX_SHOWN_IDS = 50;

async function shown(query: Knex.QueryBuilder): Promise<Shown[]> {
  const rows = (await query.select('tag', { deviceId: 'subscription_id', ids: 'message_ids' })) as (Omit<
    Shown,
    'messageIds'
  > & { ids: string })[];
  return rows.map(({ ids, ...row }) => ({ ...row, messageIds: JSON.parse(ids) as number[] }));
}

export const onDevice = (db: Knex, deviceId: number): Promise<Shown[]> =>
  shown(db(TABLE).where({ subscription_id: deviceId }));

export const ofUser = (db: Knex, userId: UserId): Promise<Shown[]> => shown(db(TABLE).where({ user_id: userId }));

export async function write(db: Knex, userId: UserId, { deviceId, tag, messageIds }: Shown): Promise<void> {
  const newest = messageIds.slice(-MAX_SHOWN_IDS);
  const columns = { user_id: userId, message_ids: JSON.stringify(newest) };
  await put(db(TABLE), { subscription_id: deviceId, tag }, columns);
}

export async function remove(db: Knex, gone: readonly Shown[]): Promise<void> {
  for (const { deviceId, tag } of gone) await db(TABLE).where({ subscription_id: deviceId, tag }).delete();
}
