/** Rows of tel_keys: only hashes, a key is shown once. */
import type { Knex } from 'knex';
import type { CompanyId } from '../model/company';

export async function companyOf(db: Knex, keyHash: string): Promise<CompanyId | undefined> {
  const row = (await db('tel_keys').where({ key_hash: keyHash }).first('company_id')) as
    | { company_id: CompanyId }
    | undefined;
  return row?.company_id;
}

export async function hashesOf(db: Knex, companyId: CompanyId): Promise<string[]> {
  return (await db('tel_keys').where({ company_id: companyId }).pluck('key_hash')) as string[];
}

export async function insert(db: Knex, companyId: CompanyId, keyHash: string): Promise<void> {
  await db('tel_keys').insert({ key_hash: keyHash, company_id: companyId, created_at: db.raw('NOW(3)') });
}

export async function removeAll(db: Knex, companyId: CompanyId): Promise<void> {
  await db('tel_keys').where({ company_id: companyId }).delete();
}
