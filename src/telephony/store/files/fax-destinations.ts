/** Rows of tel_fax_destinations. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { Destination } from '../../model/files/fax';
import type { Listed, Page } from '../../model/paging';
import { firstOf, pageOf } from '../reads';

interface Row {
  id: string;
  company_id: CompanyId;
  emails: string;
}

const destinationOf = (row: Row): Destination => ({
  id: row.id,
  companyId: row.company_id,
  emails: JSON.parse(row.emails) as string[],
});

export async function insert(db: Knex, { id, companyId, emails }: Destination): Promise<void> {
  const row = { id, company_id: companyId, emails: JSON.stringify(emails), created_at: db.raw('NOW(3)') };
  await db('tel_fax_destinations').insert(row);
}

export const byId = (db: Knex, companyId: CompanyId, id: string): Promise<Destination | undefined> =>
  firstOf(db('tel_fax_destinations').where({ company_id: companyId, id }), destinationOf);

export async function update(db: Knex, { id, companyId, emails }: Destination): Promise<void> {
  await db('tel_fax_destinations')
    .where({ company_id: companyId, id })
    .update({ emails: JSON.stringify(emails) });
}

export async function remove(db: Knex, companyId: CompanyId, id: string): Promise<void> {
  await db('tel_fax_destinations').where({ company_id: companyId, id }).delete();
}

/** Oldest first. */
export async function list(db: Knex, companyId: CompanyId, page: Page): Promise<Listed<Destination>> {
  const found = db('tel_fax_destinations').where({ company_id: companyId }).orderBy(['created_at', 'id']);
  const { total, items } = await pageOf<Row>(db, found, page);
  return { total, items: items.map(destinationOf) };
}
