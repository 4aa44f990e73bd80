/** Rows of chat_openid_identities: maps identities at OpenID providers to accounts. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import { COLUMNS, userOf, type Row } from '../users/users';

export async function find(db: Knex, realmId: RealmId, identityHash: string): Promise<User | undefined> {
  const row = (await db('chat_openid_identities')
    .join('chat_users', 'chat_users.id', 'chat_openid_identities.user_id')
    .where({ 'chat_openid_identities.realm_id': realmId, identity_hash: identityHash })
    .first(...COLUMNS)) as Row | undefined;
  return row && userOf(row);
}

/** Does nothing if the identity is already stored. */
export async function insert(db: Knex, realmId: RealmId, identityHash: string, userId: UserId): Promise<void> {
  await db('chat_openid_identities')
    .insert({ realm_id: realmId, identity_hash: identityHash, user_id: userId })
    .onConflict()
    .ignore();
}
