/** Sealed keys of bots, for those who may see them open. */
import type { Knex } from 'knex';
import type { UserId } from '../../model/users/user';

/** Of those bots whose key a reader may see at this moment: by owning the bot, or as an administrator. */
export async function sealedFor(db: Knex, readerId: UserId, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  if (ids.length === 0) return new Map();
  // One statement, so that ownership, role and key are of the same moment.
  const rows = (await db('chat_users as bot')
    .join('chat_users as reader', 'reader.realm_id', 'bot.realm_id')
    .whereIn('bot.id', ids)
    .where({ 'reader.id': readerId, 'reader.is_active': true, 'bot.is_active': true })
    .whereNotNull('bot.bot_owner_id')
    .where((may) => void may.where('bot.bot_owner_id', readerId).orWhere('reader.role', 'admin'))
    .select('bot.id', 'bot.key_sealed')) as { readonly id: UserId; readonly key_sealed: string }[];
  return new Map(rows.map(({ id, key_sealed: key }) => [id, key]));
}
