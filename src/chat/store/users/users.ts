/** Rows of chat_users. */
import type { Knex } from 'knex';
import { emailKey } from '../../../kernel/secrets/email-key';
import { send } from '../../../kernel/mysql/direct';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { RealmId } from '../../model/organisation/realm';
import { titleWith } from '../../model/users/role';
import type { User, UserId } from '../../model/users/user';
import { readOne } from '../rows';
import { exactly, looksLike } from './user-emails';

/** Everything but credentials, which are read only where they are needed. */
const FIELDS: Readonly<Record<keyof User, string>> = {
  id: 'id',
  realmId: 'realm_id',
  email: 'email',
  fullName: 'full_name',
  shortName: 'short_name',
  role: 'role',
  title: 'title',
  isActive: 'is_active',
  botType: 'bot_type',
  botOwnerId: 'bot_owner_id',
  timezone: 'timezone',
  pointer: 'pointer',
  joinedAt: 'joined_at',
  avatarKey: 'avatar_key',
  avatarVersion: 'avatar_version',
};

export const COLUMNS = Object.entries(FIELDS).map(([field, column]) => `chat_users.${column} AS ${field}`);
export const SELECT = `SELECT ${COLUMNS.join(', ')} FROM chat_users`;

export type Row = Omit<User, 'isActive'> & { readonly isActive: number };

/** Of a row with these columns alone. */
export const userOf = (row: Row): User => ({
  ...row,
  title: titleWith(row.role, row.title),
  isActive: row.isActive === 1,
});

type Given = 'realmId' | 'email' | 'fullName' | 'shortName' | 'role' | 'botType' | 'botOwnerId' | 'timezone';

export interface NewUser extends Pick<User, Given> {
  readonly title?: User['title'];
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
    title: user.title ?? null,
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
  `SELECT ${COLUMNS.join(', ')}, chat_realms.is_active AS is_realm_active FROM chat_users ` +
  'JOIN chat_realms ON chat_realms.id = chat_users.realm_id WHERE chat_users.key_hash = ? LIMIT 1';

/** Finds the user of an API key, and whether their organisation is active. */
export async function byKeyHash(
  db: Knex,
  keyHash: string,
): Promise<{ user: User; isRealmActive: boolean } | undefined> {
  const [found] = (await send(db, BY_KEY_HASH, [keyHash])) as [(Row & { is_realm_active: number })?];
  if (!found) return undefined;
  const { is_realm_active: isRealmActive, ...row } = found;
  return { user: userOf(row), isRealmActive: isRealmActive === 1 };
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

export const list = (db: Knex, realmId: RealmId): Promise<User[]> => runRead(db, listRead(realmId));

export const listRead = (realmId: RealmId): Read<User[]> =>
  readOf(`${SELECT} WHERE realm_id = ? AND ${NO_SYSTEM_BOT} ORDER BY id`, [realmId], (rows: readonly Row[]) =>
    rows.map(userOf),
  );

const withId = (db: Knex, realmId: RealmId, id: number) => db('chat_users').where({ realm_id: realmId, id });

export const byId = (db: Knex, realmId: RealmId, id: number): Promise<User | undefined> =>
  runRead(db, byIdRead(realmId, id));

export const byIdRead = (realmId: RealmId, id: number): Read<User | undefined> =>
  readOf(`${SELECT} WHERE realm_id = ? AND id = ?`, [realmId, id], ([row]: readonly Row[]) => row && userOf(row));

/** Locks a user for a change. */
export const lock = (db: Knex, realmId: RealmId, id: number): Promise<User | undefined> =>
  readOne(
    withId(db, realmId, id)
      .forUpdate()
      .first(...COLUMNS),
    userOf,
  );

const admins = (db: Knex, realmId: RealmId) =>
  db('chat_users').where({ realm_id: realmId, role: 'admin', is_active: true }).whereNull('bot_type').orderBy('id');

export async function adminIds(db: Knex, realmId: RealmId): Promise<UserId[]> {
  return admins(db, realmId).pluck('id');
}

/** An administrator, perhaps an owner. */
export type Leader = Pick<User, 'id' | 'title'>;

/** The organisation's administrators, locked so that two of them cannot both leave as the last one. */
export async function lockAdmins(db: Knex, realmId: RealmId): Promise<Leader[]> {
  return admins(db, realmId).forUpdate().select('id', 'title');
}

export const hasOwner = async (db: Knex, realmId: RealmId): Promise<boolean> =>
  (await admins(db, realmId).where({ title: 'owner' }).first('id')) !== undefined;

type Changeable = 'fullName' | 'role' | 'title' | 'botOwnerId' | 'timezone' | 'pointer' | 'avatarKey' | 'avatarVersion';

/** What can change after creation, at least one of them. */
type UserChange = Partial<Pick<User, Changeable> & { readonly passwordHash: string }>;

export async function update(db: Knex, id: UserId, { passwordHash, ...change }: UserChange): Promise<void> {
  const fields = Object.keys(change) as (keyof typeof change)[];
  const columns = Object.fromEntries(fields.map((field) => [FIELDS[field], change[field]]));
  await db('chat_users')
    .where({ id })
    .update({ ...columns, password_hash: passwordHash });
}

export interface Credentials {
  readonly passwordHash: string | null;
  readonly keySealed: string;
  /** How often the address was changed. */
  readonly emailChanges: number;
}

export async function credentials(db: Knex, id: UserId): Promise<Credentials> {
  const row = (await db('chat_users').where({ id }).first('password_hash', 'key_sealed', 'email_changes')) as
    | { password_hash: string | null; key_sealed: string; email_changes: number }
    | undefined;
  return {
    passwordHash: row?.password_hash ?? null,
    keySealed: row?.key_sealed ?? '',
    emailChanges: row?.email_changes ?? 0,
  };
}

export async function setKey(db: Knex, id: UserId, key: { keyHash: string; keySealed: string }): Promise<void> {
  await db('chat_users').where({ id }).update({ key_hash: key.keyHash, key_sealed: key.keySealed });
}

export async function setEmail(db: Knex, id: UserId, email: string): Promise<void> {
  await db('chat_users')
    .where({ id })
    .update({ email, email_key: emailKey(email), email_changes: db.raw('email_changes + 1') });
}

export async function setActive(db: Knex, id: UserId, isActive: boolean): Promise<void> {
  await db('chat_users').where({ id }).update({ is_active: isActive });
}

export async function count(db: Knex): Promise<number> {
  return countRows(db('chat_users').whereRaw(NO_SYSTEM_BOT));
}
