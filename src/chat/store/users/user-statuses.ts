/** Rows of chat_user_statuses: away or not, and a text. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { put } from '../rows';

export interface UserStatus {
  readonly isAway: boolean;
  readonly text: string;
}

export async function set(db: Knex, userId: UserId, change: { isAway?: boolean; text?: string }): Promise<void> {
  await put(db('chat_user_statuses'), { user_id: userId }, { is_away: change.isAway, text: change.text });
}

/** Statuses of active users who have set one. */
export async function list(db: Knex, realmId: RealmId): Promise<Map<UserId, UserStatus>> {
  const rows = (await db('chat_user_statuses')
    .join('chat_users', 'chat_users.id', 'chat_user_statuses.user_id')
    .where({ realm_id: realmId, 'chat_users.is_active': true })
    .where((either) => void either.where('is_away', true).orWhere('text', '<>', ''))
    .select('user_id', 'is_away', 'text')) as { user_id: UserId; is_away: number; text: string }[];
  return new Map(rows.map((row) => [row.user_id, { isAway: row.is_away === 1, text: row.text }]));
}
