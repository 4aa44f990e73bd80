/** Sealed API keys of bots, for users who may see them. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';

/** Returns only keys that the reader may see now, as the bot's owner or as an administrator. */
export async function sealedFor(db: Knex, readerId: UserId, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  if (ids.length === 0) return new Map();
  // One statement, so that ownership, role and key are consistent.
  const rows = (await db('chat_users as bot')
    .join('chat_users as reader', 'reader.realm_id', 'bot.realm_id')
    .whereIn('bot.id', ids)
    .where({ 'reader.id': readerId, 'reader.is_active': true, 'bot.is_active': true })
    .whereNotNull('bot.bot_owner_id')
    .where((may) => void may.where('bot.bot_owner_id', readerId).orWhere('reader.role', 'admin'))
    .select('bot.id', 'bot.key_sealed')) as { readonly id: UserId; readonly key_sealed: string }[];
  return new Map(rows.map(({ id, key_sealed: key }) => [id, key]));
}
