/** Rows of chat_openid_providers, and of chat_openid_identities, which map identities at them to accounts. */
import type { Knex } from 'knex';
import type { StoredProvider } from '../../model/accounts/openid';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import { put, readAll, readOne } from '../rows';
import { COLUMNS, userOf } from '../users/users';

interface Row {
  readonly name: string;
  readonly display_name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret_sealed: string;
  readonly domains: string;
  readonly creates_accounts: number;
}

export interface SealedProvider extends StoredProvider {
  readonly secretSealed: string;
}

const providerOf = (row: Row): SealedProvider => ({
  name: row.name,
  displayName: row.display_name,
  issuer: row.issuer,
  clientId: row.client_id,
  secretSealed: row.client_secret_sealed,
  domains: JSON.parse(row.domains) as string[],
  createsAccounts: row.creates_accounts === 1,
});

export const list = (db: Knex, realmId: RealmId): Promise<SealedProvider[]> =>
  readAll(db('chat_openid_providers').where({ realm_id: realmId }).orderBy('name'), providerOf);

export const find = (db: Knex, realmId: RealmId, name: string): Promise<SealedProvider | undefined> =>
  readOne(db('chat_openid_providers').where({ realm_id: realmId, name }).first(), providerOf);

export async function set(db: Knex, realmId: RealmId, provider: SealedProvider): Promise<void> {
  const key = { realm_id: realmId, name: provider.name };
  await put(db('chat_openid_providers'), key, {
    display_name: provider.displayName,
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret_sealed: provider.secretSealed,
    domains: JSON.stringify(provider.domains),
    creates_accounts: provider.createsAccounts,
  });
}

export async function remove(db: Knex, realmId: RealmId, name: string): Promise<boolean> {
  return (await db('chat_openid_providers').where({ realm_id: realmId, name }).delete()) > 0;
}

/** The account of an identity at a provider. */
export async function findByIdentity(db: Knex, realmId: RealmId, identityHash: string): Promise<User | undefined> {
  const users = db('chat_openid_identities')
    .join('chat_users', 'chat_users.id', 'chat_openid_identities.user_id')
    .where({ 'chat_openid_identities.realm_id': realmId, identity_hash: identityHash });
  return readOne(users.first(...COLUMNS), userOf);
}

/** Does nothing if the identity is already stored. */
export async function insertIdentity(db: Knex, realmId: RealmId, identityHash: string, userId: UserId): Promise<void> {
  await db('chat_openid_identities')
    .insert({ realm_id: realmId, identity_hash: identityHash, user_id: userId })
    .onConflict()
    .ignore();
}
