/** Reads many rows of chat_users at once, for changes of subscriptions. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { Role, UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import { readColumn } from '../rows';

/** The roles of an organisation's active accounts. */
export async function activeRoles(db: Knex, realmId: RealmId): Promise<Map<UserId, Role>> {
  const rows = (await db('chat_users').where({ realm_id: realmId, is_active: true }).select('id', 'role')) as {
    id: UserId;
    role: Role;
  }[];
  return new Map(rows.map(({ id, role }) => [id, role]));
}

const settingsOf = (rows: readonly { id: UserId; settings: string }[]) =>
  new Map(rows.map(({ id, settings }) => [id, JSON.parse(settings) as StoredSettings]));

/** Always in the order of the ids. */
const active = (db: Knex, ids: readonly UserId[]) =>
  db('chat_users').whereIn('id', ids).where({ is_active: true }).orderBy('id').select('id', 'settings');

/** Share-locks these accounts until the end of the transaction. Returns the active ones with their settings. */
export async function hold(db: Knex, ids: readonly UserId[]): Promise<Map<UserId, StoredSettings>> {
  return settingsOf((await active(db, ids).forShare()) as { id: UserId; settings: string }[]);
}

/** Like `hold`, but exclusive, for changes of their read state. */
export async function lock(db: Knex, ids: readonly UserId[]): Promise<void> {
  await active(db, ids).forUpdate();
}

/** Unless the password has changed meanwhile. */
export async function replaceHash(db: Knex, id: UserId, before: string, after: string): Promise<void> {
  await db('chat_users').where({ id, password_hash: before }).update({ password_hash: after });
}

/** The newest user's sealed key. Any one would do to test whether it can be decrypted. */
export const someSealedKey = (db: Knex): Promise<string | undefined> =>
  readColumn(db('chat_users').orderBy('id', 'desc'), 'key_sealed');
