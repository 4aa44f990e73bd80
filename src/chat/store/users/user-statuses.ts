/** Rows of chat_user_statuses: away or not, and a text. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
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
export const listRead = (realmId: RealmId): Read<ReadonlyMap<UserId, UserStatus>> =>
  readOf(
    'SELECT s.user_id, s.is_away, s.text FROM chat_user_statuses s JOIN chat_users u ON u.id = s.user_id ' +
      "WHERE u.realm_id = ? AND u.is_active AND (s.is_away OR s.text <> '')",
    [realmId],
    (rows: readonly { user_id: UserId; is_away: number; text: string }[]) =>
      new Map(rows.map((row) => [row.user_id, { isAway: row.is_away === 1, text: row.text }])),
  );
