/** Reads several rows of chat_users at once, by id, email address or full name. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import { emailKey } from '../../../kernel/secrets/email-key';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import { readAll } from '../rows';
import { exactly, looksLike } from './user-emails';
import { COLUMNS, SELECT, userOf, type Row } from './users';

async function by(db: Knex, realmId: RealmId, column: string, values: readonly (string | number)[]): Promise<User[]> {
  if (values.length === 0) return [];
  const found = db('chat_users').where({ realm_id: realmId }).whereIn(column, values);
  return readAll(found.select(...COLUMNS), userOf);
}

export async function byEmails(db: Knex, realmId: RealmId, emails: readonly string[]): Promise<User[]> {
  return exactly(await withEmailKeys(db, realmId, emails), emails);
}

/** The accounts that keep these addresses, and what looks like them, from getting another account. */
export async function withEmailKeys(db: Knex, realmId: RealmId, emails: readonly string[]): Promise<User[]> {
  if (emails.length === 0) return [];
  const rows = (await db('chat_users')
    .where({ realm_id: realmId })
    .where(looksLike(emails))
    .select(...COLUMNS)) as Row[];
  const keys = new Set(emails.map(emailKey));
  return rows.filter(({ email }) => keys.has(emailKey(email))).map(userOf);
}

export const byIds = (db: Knex, realmId: RealmId, ids: readonly number[]) => by(db, realmId, 'id', ids);

/** There must be at least one id. */
export const byIdsRead = (realmId: RealmId, ids: readonly number[]): Read<User[]> =>
  readOf(`${SELECT} WHERE realm_id = ? AND id IN (?) ORDER BY id`, [realmId, ids], (rows: readonly Row[]) =>
    rows.map(userOf),
  );

export const byFullNames = (db: Knex, realmId: RealmId, names: readonly string[]) =>
  by(db, realmId, 'full_name', names);

/** Of the active people, without bots. */
export interface ActivePerson {
  readonly id: UserId;
  readonly email: string;
  /** Without them the person has changed none. */
  readonly settings: StoredSettings | undefined;
}

/** How the settings are stored that keep something from others. */
const INVISIBLE = '%"presence_enabled":false%';
const SILENT = '%_typing_notifications":false%';

export async function activeOnes(db: Knex, realmId: RealmId): Promise<ActivePerson[]> {
  const rows = (await db('chat_users')
    .where({ realm_id: realmId, is_active: true })
    .whereNull('bot_type')
    .select(
      'id',
      'email',
      db.raw('IF(settings LIKE ? OR settings LIKE ?, settings, NULL) AS settings', [INVISIBLE, SILENT]),
    )) as { readonly id: UserId; readonly email: string; readonly settings: string | null }[];
  return rows.map(({ settings, ...person }) => ({
    ...person,
    settings: settings === null ? undefined : (JSON.parse(settings) as StoredSettings),
  }));
}

/** Who does not want others to learn when they are there. */
export const invisibleRead = (realmId: RealmId): Read<ReadonlySet<UserId>> =>
  readOf(
    'SELECT id FROM chat_users WHERE realm_id = ? AND settings LIKE ?',
    [realmId, INVISIBLE],
    (rows: readonly { id: UserId }[]) => new Set(rows.map(({ id }) => id)),
  );

/** In any organisation: for workers, which serve all of them. */
export async function anywhere(db: Knex, ids: readonly number[]): Promise<User[]> {
  if (ids.length === 0) return [];
  const found = db('chat_users').whereIn('id', ids);
  return readAll(found.select(...COLUMNS), userOf);
}

/** The full names of people of any organisation. */
export async function namesOf(db: Knex, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  const found = await anywhere(db, [...new Set(ids)]);
  return new Map(found.map(({ id, fullName }) => [id, fullName]));
}
