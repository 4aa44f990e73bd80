/** Rows of tel_fax_destinations. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { CompanyId } from '../../model/companies/company';
import type { Destination } from '../../model/files/fax';
import { offsetOf, type Page } from '../../model/paging';

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

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<Destination | undefined> {
  const row = (await db('tel_fax_destinations').where({ company_id: companyId, id }).first()) as Row | undefined;
  return row && destinationOf(row);
}

export async function update(db: Knex, { id, companyId, emails }: Destination): Promise<void> {
  await db('tel_fax_destinations')
    .where({ company_id: companyId, id })
    .update({ emails: JSON.stringify(emails) });
}

export async function remove(db: Knex, companyId: CompanyId, id: string): Promise<void> {
  await db('tel_fax_destinations').where({ company_id: companyId, id }).delete();
}

export const count = (db: Knex, companyId: CompanyId): Promise<number> =>
  countRows(db('tel_fax_destinations').where({ company_id: companyId }));

/** Oldest first. */
export async function list(db: Knex, companyId: CompanyId, page: Page): Promise<Destination[]> {
  const rows = (await db('tel_fax_destinations')
    .where({ company_id: companyId })
    .orderBy(['created_at', 'id'])
    .limit(page.size)
    .offset(offsetOf(page))) as Row[];
  return rows.map(destinationOf);
}
