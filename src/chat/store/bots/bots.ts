/** Bots: their owners and keys, who gets events about them, and rows of chat_bots, which hold their default streams. */
import type { Knex } from 'knex';
import { known, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
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
export function sealedKeysRead(readerId: UserId, ids: readonly UserId[]): Read<ReadonlyMap<UserId, string>> {
  if (ids.length === 0) return known(new Map<UserId, string>());
  // One statement, so that ownership, role and key are consistent.
  return readOf(
    'SELECT bot.id, bot.key_sealed FROM chat_users bot JOIN chat_users reader ON reader.realm_id = bot.realm_id ' +
      'WHERE bot.id IN (?) AND reader.id = ? AND reader.is_active AND bot.is_active AND bot.bot_owner_id IS NOT NULL ' +
      "AND (bot.bot_owner_id = ? OR reader.role = 'admin')",
    [ids, readerId, readerId],
    (rows: readonly { id: UserId; key_sealed: string }[]) => new Map(rows.map(({ id, key_sealed: key }) => [id, key])),
  );
}

export const sealedKeys = (db: Knex, readerId: UserId, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, string>> =>
  runRead(db, sealedKeysRead(readerId, ids));

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

/** Defaults of bots that have any. A deactivated or archived stream counts as none. */
export function defaultsRead(ids: readonly UserId[]): Read<ReadonlyMap<UserId, BotDefaults>> {
  if (ids.length === 0) return known(new Map<UserId, BotDefaults>());
  return readOf(
    'SELECT b.user_id, sending.name AS sending, events.name AS events, b.is_all_public FROM chat_bots b ' +
      'LEFT JOIN chat_streams sending ON sending.id = b.sending_stream_id AND sending.is_active AND NOT sending.is_archived ' +
      'LEFT JOIN chat_streams events ON events.id = b.events_stream_id AND events.is_active ' +
      'AND NOT events.is_archived WHERE b.user_id IN (?)',
    [ids],
    (rows: readonly DefaultsRow[]) =>
      new Map(
        rows.map((row) => [
          row.user_id,
          { sendingStream: row.sending, eventsStream: row.events, isAllPublic: row.is_all_public === 1 },
        ]),
      ),
  );
}

export async function defaultsOf(db: Knex, id: UserId): Promise<BotDefaults> {
  return (await runRead(db, defaultsRead([id]))).get(id) ?? NO_BOT_DEFAULTS;
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
