/** Rows of tel_companies. */
import type { Knex } from 'knex';
import type { Company, CompanyDetails, CompanyId } from '../model/company';

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
