/** Rows of chat_bot_storage: the key-value storage of bots. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';

export async function read(db: Knex, userId: UserId, names: readonly string[] | null): Promise<Map<string, string>> {
  const query = db('chat_bot_storage').where({ user_id: userId });
  if (names) void query.whereIn('name', names);
  const rows = (await query.orderBy('name').select('name', 'value')) as { name: string; value: string }[];
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function write(db: Knex, userId: UserId, name: string, value: string): Promise<void> {
  await db('chat_bot_storage').insert({ user_id: userId, name, value }).onConflict().merge({ value });
}

export async function remove(db: Knex, userId: UserId, names: readonly string[]): Promise<void> {
  await db('chat_bot_storage').where({ user_id: userId }).whereIn('name', names).delete();
}

/** Total characters of all names and values. */
export async function size(db: Knex, userId: UserId): Promise<number> {
  const [row] = (await db('chat_bot_storage')
    .where({ user_id: userId })
    .select(db.raw('SUM(CHAR_LENGTH(name) + CHAR_LENGTH(value)) AS size'))) as [{ size: string | null }];
  return Number(row.size ?? 0);
}
