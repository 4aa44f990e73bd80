/** Rows of tel_text_templates. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { TextTemplate } from '../../model/portal/portal';

/** Newest first. */
export async function list(db: Knex, companyId: CompanyId): Promise<TextTemplate[]> {
  return (await db('tel_text_templates')
    .where({ company_id: companyId })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('id', 'text')) as TextTemplate[];
}

export async function insert(db: Knex, companyId: CompanyId, { id, text }: TextTemplate): Promise<void> {
  await db('tel_text_templates').insert({ id, company_id: companyId, text, created_at: db.raw('NOW(3)') });
}

export async function remove(db: Knex, companyId: CompanyId, id: string): Promise<boolean> {
  return (await db('tel_text_templates').where({ company_id: companyId, id }).delete()) > 0;
}
