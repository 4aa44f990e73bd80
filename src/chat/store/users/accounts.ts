/** Many rows of chat_users at once, as changes of subscriptions need them. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { Role, UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';

/** Active accounts of an organisation. */
export async function activeRoles(db: Knex, realmId: RealmId): Promise<Map<UserId, Role>> {
  const rows = (await db('chat_users').where({ realm_id: realmId, is_active: true }).select('id', 'role')) as {
    id: UserId;
    role: Role;
  }[];
  return new Map(rows.map(({ id, role }) => [id, role]));
}

/** The people who run the organisation. */
export async function adminIds(db: Knex, realmId: RealmId): Promise<UserId[]> {
  return (await db('chat_users')
    .where({ realm_id: realmId, role: 'admin', is_active: true })
    .whereNull('bot_type')
    .orderBy('id')
    .pluck('id')) as UserId[];
}

const settingsOf = (rows: readonly { id: UserId; settings: string }[]) =>
  new Map(rows.map(({ id, settings }) => [id, JSON.parse(settings) as StoredSettings]));

/** Always in the order of the ids. */
const active = (db: Knex, ids: readonly UserId[]) =>
  db('chat_users').whereIn('id', ids).where({ is_active: true }).orderBy('id').select('id', 'settings');

/** Keeps these accounts as they are until the end of the transaction. Those that are active, with their settings. */
export async function hold(db: Knex, ids: readonly UserId[]): Promise<Map<UserId, StoredSettings>> {
  return settingsOf((await active(db, ids).forShare()) as { id: UserId; settings: string }[]);
}

/** As hold, for a change of what they have read: one at a time for each of them. */
export async function lock(db: Knex, ids: readonly UserId[]): Promise<void> {
  await active(db, ids).forUpdate();
}

/** Unless the password was changed meanwhile. */
export async function replaceHash(db: Knex, id: UserId, before: string, after: string): Promise<void> {
  await db('chat_users').where({ id, password_hash: before }).update({ password_hash: after });
}

/** The key of whoever came last: any would do for seeing whether it can be read. */
export async function someSealedKey(db: Knex): Promise<string | undefined> {
  const row = (await db('chat_users').orderBy('id', 'desc').first('key_sealed')) as { key_sealed: string } | undefined;
  return row?.key_sealed;
}
