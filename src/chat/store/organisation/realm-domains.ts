/** Rows of chat_realm_domains. */
import type { Knex } from 'knex';
import { searchableId } from '../../../kernel/id';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmDomain } from '../../model/organisation/realm-domain';
import type { RealmId } from '../../model/organisation/realm';

interface Row {
  domain: string;
  allow_subdomains: number;
}

const domainOf = (row: Row): RealmDomain => ({
  domain: row.domain,
  allowsSubdomains: row.allow_subdomains === 1,
});

export const listRead = (realmId: RealmId): Read<RealmDomain[]> =>
  readOf(
    'SELECT domain, allow_subdomains FROM chat_realm_domains WHERE realm_id = ? ORDER BY id',
    [realmId],
    (rows: readonly Row[]) => rows.map(domainOf),
  );

export const list = (db: Knex, realmId: RealmId): Promise<RealmDomain[]> => runRead(db, listRead(realmId));

export async function insert(db: Knex, realmId: RealmId, { domain, allowsSubdomains }: RealmDomain): Promise<number> {
  const row = { realm_id: realmId, domain, allow_subdomains: allowsSubdomains };
  const [id] = await db('chat_realm_domains').insert(row);
  return id!;
}

const at = (db: Knex, realmId: RealmId, domain: string) =>
  db('chat_realm_domains').where({ realm_id: realmId, domain: searchableId(domain) });

export async function has(db: Knex, realmId: RealmId, domain: string): Promise<boolean> {
  return (await at(db, realmId, domain).first('id')) !== undefined;
}

export async function update(db: Knex, realmId: RealmId, { domain, allowsSubdomains }: RealmDomain): Promise<void> {
  await at(db, realmId, domain).update({ allow_subdomains: allowsSubdomains });
}

/** Returns whether it existed. */
export async function remove(db: Knex, realmId: RealmId, domain: string): Promise<boolean> {
  return (await at(db, realmId, domain).delete()) > 0;
}
