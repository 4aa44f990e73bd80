/** Rows of chat_user_statuses: away or not, a text, an emoji, and when it ends. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { Emoji } from '../../model/messages/reaction';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { NO_STATUS, type UserStatus } from '../../model/users/user-status';
import { put, readOne } from '../rows';

interface Row {
  user_id: UserId;
  is_away: number;
  text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  ends_at: number | null;
}

const emojiOf = (row: Row): Emoji | null =>
  row.emoji_name === '' ? null : { name: row.emoji_name, code: row.emoji_code, type: row.reaction_type };

const statusOf = (row: Row): UserStatus => ({
  isAway: row.is_away === 1,
  text: row.text,
  emoji: emojiOf(row),
  endsAt: row.ends_at,
});

/** Locks the status of a user for a change. */
export async function lock(db: Knex, userId: UserId): Promise<UserStatus> {
  const found = db('chat_user_statuses').where({ user_id: userId }).forUpdate().first();
  return (await readOne(found, statusOf)) ?? NO_STATUS;
}

export async function set(db: Knex, userId: UserId, { isAway, text, emoji, endsAt }: UserStatus): Promise<void> {
  await put(
    db('chat_user_statuses'),
    { user_id: userId },
    {
      is_away: isAway,
      text,
      ends_at: endsAt,
      emoji_name: emoji?.name ?? '',
      emoji_code: emoji?.code ?? '',
      reaction_type: emoji?.type ?? '',
    },
  );
}

/** Statuses of active users who have set one. */
export const listRead = (realmId: RealmId): Read<ReadonlyMap<UserId, UserStatus>> =>
  readOf(
    'SELECT s.* FROM chat_user_statuses s JOIN chat_users u ON u.id = s.user_id ' +
      "WHERE u.realm_id = ? AND u.is_active AND (s.is_away OR s.text <> '' OR s.emoji_name <> '')",
    [realmId],
    (rows: readonly Row[]) => new Map(rows.map((row) => [row.user_id, statusOf(row)])),
  );
