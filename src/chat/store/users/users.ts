/** Rows of chat_users. */
import type { Knex } from 'knex';
import { emailKey } from '../../../kernel/secrets/email-key';
import { send } from '../../../kernel/mysql/direct';
import type { RealmId } from '../../model/organisation/realm';
import type { BotType, Role, User, UserId } from '../../model/users/user';
import { exactly, looksLike } from './user-emails';

export interface Row {
  id: number;
  realm_id: number;
  email: string;
  full_name: string;
  short_name: string;
  role: Role;
  is_active: number;
  bot_type: BotType | null;
  bot_owner_id: number | null;
  timezone: string;
  pointer: number;
  joined_at: Date;
  avatar_key: string | null;
  avatar_version: number;
}

/** Everything but credentials, which are read only where they are needed. */
export const COLUMNS = [
  'id',
  'realm_id',
  'email',
  'full_name',
  'short_name',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'timezone',
  'pointer',
  'joined_at',
  'avatar_key',
  'avatar_version',
].map((column) => `chat_users.${column}`);

export function userOf(row: Row): User {
  return {
    id: row.id as UserId,
    realmId: row.realm_id as RealmId,
    email: row.email,
    fullName: row.full_name,
    shortName: row.short_name,
    role: row.role,
    isActive: row.is_active === 1,
    botType: row.bot_type,
    botOwnerId: row.bot_owner_id as UserId | null,
    timezone: row.timezone,
    pointer: row.pointer,
    joinedAt: row.joined_at,
    avatarKey: row.avatar_key,
    avatarVersion: row.avatar_version,
  };
}

export interface NewUser {
  readonly realmId: RealmId;
  readonly email: string;
  readonly fullName: string;
  readonly shortName: string;
  readonly role: Role;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  readonly timezone: string;
  readonly passwordHash: string | null;
  readonly keyHash: string;
  readonly keySealed: string;
}

export async function insert(db: Knex, user: NewUser): Promise<UserId> {
  const [id] = await db('chat_users').insert({
    realm_id: user.realmId,
    email: user.email,
    email_key: emailKey(user.email),
    full_name: user.fullName,
    short_name: user.shortName,
    role: user.role,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    timezone: user.timezone,
    settings: '{}',
    password_hash: user.passwordHash,
    key_hash: user.keyHash,
    key_sealed: user.keySealed,
    joined_at: db.raw('NOW(3)'),
  });
  return id as UserId;
}

const BY_KEY_HASH =
  `SELECT ${COLUMNS.join(', ')}, chat_realms.is_active AS realm_is_active FROM chat_users ` +
  'JOIN chat_realms ON chat_realms.id = chat_users.realm_id WHERE chat_users.key_hash = ? LIMIT 1';

/** Finds the user of an API key, and whether their organisation is active. */
export async function byKeyHash(
  db: Knex,
  keyHash: string,
): Promise<{ user: User; isRealmActive: boolean } | undefined> {
  const [row] = (await send(db, BY_KEY_HASH, [keyHash])) as [(Row & { realm_is_active: number })?];
  return row && { user: userOf(row), isRealmActive: row.realm_is_active === 1 };
}

export async function byEmail(db: Knex, realmId: RealmId, email: string): Promise<User | undefined> {
  const rows = (await db('chat_users')
    .where({ realm_id: realmId })
    .where(looksLike([email]))
    .select(...COLUMNS)) as Row[];
  const [row] = exactly(rows, [email]);
  return row && userOf(row);
}

/** Leaves out the account that sends the server's own messages. */
const NO_SYSTEM_BOT =
  'chat_users.id NOT IN (SELECT notification_bot_id FROM chat_realms WHERE notification_bot_id IS NOT NULL)';

export async function list(db: Knex, realmId: RealmId): Promise<User[]> {
  const rows = (await db('chat_users')
    .where({ realm_id: realmId })
    .whereRaw(NO_SYSTEM_BOT)
    .orderBy('id')
    .select(...COLUMNS)) as Row[];
  return rows.map(userOf);
}

export async function byId(db: Knex, realmId: RealmId, id: number): Promise<User | undefined> {
  const row = (await db('chat_users')
    .where({ realm_id: realmId, id })
    .first(...COLUMNS)) as Row | undefined;
  return row && userOf(row);
}

/** Locks a user for a change. */
export async function lock(db: Knex, realmId: RealmId, id: number): Promise<User | undefined> {
  const row = (await db('chat_users')
    .where({ realm_id: realmId, id })
    .forUpdate()
    .first(...COLUMNS)) as Row | undefined;
  return row && userOf(row);
}

/** The organisation's administrators, locked so that two of them cannot both leave as the last one. */
export async function lockAdmins(db: Knex, realmId: RealmId): Promise<UserId[]> {
  return (await db('chat_users')
    .where({ realm_id: realmId, role: 'admin', is_active: true })
    .whereNull('bot_type')
    .orderBy('id')
    .forUpdate()
    .pluck('id')) as UserId[];
}

/** Columns that can change after creation. */
export interface UserChange {
  readonly fullName?: string;
  readonly role?: Role;
  readonly botOwnerId?: UserId;
  readonly timezone?: string;
  readonly pointer?: number;
  readonly passwordHash?: string;
  readonly avatarKey?: string | null;
  readonly avatarVersion?: number;
}

export async function update(db: Knex, id: UserId, change: UserChange): Promise<void> {
  const columns = {
    full_name: change.fullName,
    role: change.role,
    bot_owner_id: change.botOwnerId,
    timezone: change.timezone,
    pointer: change.pointer,
    password_hash: change.passwordHash,
    avatar_key: change.avatarKey,
    avatar_version: change.avatarVersion,
  };
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length > 0) await db('chat_users').where({ id }).update(given);
}

export interface Credentials {
  readonly passwordHash: string | null;
  readonly keySealed: string;
}

export async function credentials(db: Knex, id: UserId): Promise<Credentials> {
  const row = (await db('chat_users').where({ id }).first('password_hash', 'key_sealed')) as
    | { password_hash: string | null; key_sealed: string }
    | undefined;
  return { passwordHash: row?.password_hash ?? null, keySealed: row?.key_sealed ?? '' };
}

export async function setKey(db: Knex, id: UserId, key: { keyHash: string; keySealed: string }): Promise<void> {
  await db('chat_users').where({ id }).update({ key_hash: key.keyHash, key_sealed: key.keySealed });
}

export async function setActive(db: Knex, id: UserId, isActive: boolean): Promise<void> {
  await db('chat_users').where({ id }).update({ is_active: isActive });
}

export async function count(db: Knex): Promise<number> {
  const [row] = (await db('chat_users').whereRaw(NO_SYSTEM_BOT).count({ users: '*' })) as [{ users: number }];
  return row.users;
}
