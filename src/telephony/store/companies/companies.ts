/** Rows of tel_companies. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { Tenant } from '../../../kernel/actor/address';
import { ACCESS_LOG } from '../../model/companies/key';
import { companyTenant, type Company, type CompanyDetails, type CompanyId } from '../../model/companies/company';

interface Row {
  id: string;
  name: string;
  status: string;
  details: string;
  created_at: Date;
  updated_at: Date;
}

export async function byId(db: Knex, id: CompanyId): Promise<Company | undefined> {
  const row = (await db('tel_companies').where({ id }).first()) as Row | undefined;
  return (
    row && {
      id,
      name: row.name,
      status: row.status,
      details: JSON.parse(row.details) as CompanyDetails,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  );
}

export async function insert(db: Knex, company: Pick<Company, 'id' | 'name' | 'details'>): Promise<void> {
  const { id, name, details } = company;
  const now = db.raw('NOW(3)');
  await db('tel_companies').insert({
    id,
    name,
    status: 'active',
    details: JSON.stringify(details),
    created_at: now,
    updated_at: now,
  });
}

export async function isEmpty(db: Knex): Promise<boolean> {
  return (await db('tel_companies').first('id')) === undefined;
}

export async function update(db: Knex, { id, name, details }: Pick<Company, 'id' | 'name' | 'details'>): Promise<void> {
  await db('tel_companies')
    .where({ id })
    .update({ name, details: JSON.stringify(details), updated_at: db.raw('NOW(3)') });
}

/** Locks this company's row until the transaction ends. */
export async function lock(db: Knex, id: CompanyId): Promise<void> {
  await db('tel_companies').where({ id }).forUpdate().first('id');
}

export interface CompanyLine {
  readonly id: CompanyId;
  readonly name: string;
  readonly status: string;
  readonly contacts: number;
  readonly createdAt: Date;
}

export async function list(db: Knex): Promise<CompanyLine[]> {
  return (await db('tel_companies')
    .leftJoin('tel_contacts', 'tel_contacts.company_id', 'tel_companies.id')
    .groupBy('tel_companies.id')
    .orderBy('tel_companies.name')
    .select('tel_companies.id', 'tel_companies.name', 'tel_companies.status', {
      createdAt: 'tel_companies.created_at',
    })
    .count({ contacts: 'tel_contacts.id' })) as unknown as CompanyLine[];
}

export async function idByName(db: Knex, name: string): Promise<CompanyId | undefined> {
  const row = (await db('tel_companies').where({ name }).first('id')) as { id: CompanyId } | undefined;
  return row?.id;
}

export const count = (db: Knex): Promise<number> => countRows(db('tel_companies'));

/** The tenants that publish numbered events: all companies, and the log of revoked access. */
export async function tenants(db: Knex): Promise<Tenant[]> {
  return [ACCESS_LOG, ...((await db('tel_companies').pluck('id')) as CompanyId[]).map(companyTenant)];
}
