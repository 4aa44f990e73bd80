/** Many rows of chat_users at once, as changes of subscriptions need them. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/realm';
import type { Role, UserId } from '../model/user';
import type { StoredSettings } from '../model/user-settings';

/** Active accounts of an organisation. */
export async function activeRoles(db: Knex, realmId: RealmId): Promise<Map<UserId, Role>> {
  const rows = (await db('chat_users').where({ realm_id: realmId, is_active: true }).select('id', 'role')) as {
    id: UserId;
    role: Role;
  }[];
  return new Map(rows.map(({ id, role }) => [id, role]));
}

/** Keeps these accounts as they are until the end of the transaction. Those that are active, with their settings. */
export async function hold(db: Knex, ids: readonly UserId[]): Promise<Map<UserId, StoredSettings>> {
  const rows = (await db('chat_users')
    .whereIn('id', ids)
    .where({ is_active: true })
    .orderBy('id')
    .forShare()
    .select('id', 'settings')) as { id: UserId; settings: string }[];
  return new Map(rows.map(({ id, settings }) => [id, JSON.parse(settings) as StoredSettings]));
}
