/** Bots: their owners and keys, who gets events about them, and rows of chat_bots, which hold their default streams. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import type { BotAudience } from '../../model/users/user-events';
import { NO_BOT_DEFAULTS, type BotDefaults } from '../../model/users/user-wire';
import { put, readAll } from '../rows';
import { COLUMNS, userOf } from '../users/users';

/** Active bots of one owner, or of the whole organisation. */
export async function list(db: Knex, realmId: RealmId, ownerId?: UserId): Promise<User[]> {
  const bots = db('chat_users')
    .where({ realm_id: realmId, is_active: true, ...(ownerId === undefined ? {} : { bot_owner_id: ownerId }) })
    .whereNotNull('bot_type')
    .whereNotNull('bot_owner_id');
  return readAll(bots.orderBy('id').select(...COLUMNS), userOf);
}

/** Sealed API keys: only those that the reader may see now, as the bot's owner or as an administrator. */
export async function sealedKeys(db: Knex, readerId: UserId, ids: readonly UserId[]): Promise<Map<UserId, string>> {
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

/** Whether an active account already has the name: a bot must not be mistaken for someone else. */
export async function isNameInUse(db: Knex, realmId: RealmId, fullName: string): Promise<boolean> {
  const account = db('chat_users').where({ realm_id: realmId, full_name: fullName, is_active: true });
  return (await account.first('id')) !== undefined;
}

export async function audience(db: Knex, realmId: RealmId, ownerId: UserId | null): Promise<BotAudience> {
  const rows = (await db('chat_users')
    .where({ realm_id: realmId })
    .whereNull('bot_type')
    .where((either) => void either.where({ role: 'admin', is_active: true }).orWhere('id', ownerId))
    .orderBy('id')
    .select('id', 'email')) as { id: UserId; email: string }[];
  return { ids: rows.map(({ id }) => id), ownerId, owner: rows.find(({ id }) => id === ownerId)?.email ?? null };
}

interface DefaultsRow {
  user_id: UserId;
  sending: string | null;
  events: string | null;
  is_all_public: number;
}

/** Defaults of bots that have any. A deactivated stream counts as none. */
export async function defaults(db: Knex, ids: readonly UserId[]): Promise<Map<UserId, BotDefaults>> {
  const rows = (await db('chat_bots')
    .leftJoin({ sending: 'chat_streams' }, (join) => {
      join.on('sending.id', 'chat_bots.sending_stream_id').andOnVal('sending.is_active', true);
    })
    .leftJoin({ events: 'chat_streams' }, (join) => {
      join.on('events.id', 'chat_bots.events_stream_id').andOnVal('events.is_active', true);
    })
    .whereIn('user_id', ids)
    .select('user_id', { sending: 'sending.name', events: 'events.name' }, 'is_all_public')) as DefaultsRow[];
  return new Map(
    rows.map((row) => [
      row.user_id,
      { sendingStream: row.sending, eventsStream: row.events, isAllPublic: row.is_all_public === 1 },
    ]),
  );
}

export async function defaultsOf(db: Knex, id: UserId): Promise<BotDefaults> {
  return (await defaults(db, [id])).get(id) ?? NO_BOT_DEFAULTS;
}

export interface DefaultsChange {
  readonly sendingStreamId?: number | null;
  readonly eventsStreamId?: number | null;
  readonly isAllPublic?: boolean;
}

export async function setDefaults(db: Knex, id: UserId, change: DefaultsChange): Promise<void> {
  const columns = {
    sending_stream_id: change.sendingStreamId,
    events_stream_id: change.eventsStreamId,
    is_all_public: change.isAllPublic,
  };
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  await put(db('chat_bots'), { user_id: id }, given);
}
