/** Rows of tel_contacts. */
import type { Knex } from 'knex';
import type { CompanyId } from '../model/company';
import type { ContactId, NewContact } from '../model/contact';

export interface ContactRole {
  readonly id: ContactId;
  readonly isPrimary: boolean;
}

/** The contact as whom a request acts: by id, or the primary one. Never one of another company. */
export async function roleOf(
  db: Knex,
  companyId: CompanyId,
  who: ContactId | 'primary',
): Promise<ContactRole | undefined> {
  const row = (await db('tel_contacts')
    .where({ company_id: companyId, ...(who === 'primary' ? { is_primary: true } : { id: who }) })
    .first('id', 'is_primary')) as { id: ContactId; is_primary: number } | undefined;
  return row && { id: row.id, isPrimary: row.is_primary === 1 };
}

export async function count(db: Knex, companyId: CompanyId): Promise<number> {
  const [row] = (await db('tel_contacts').where({ company_id: companyId }).count({ contacts: '*' })) as [
    { contacts: number },
  ];
  return row.contacts;
}

export async function insert(db: Knex, contact: NewContact): Promise<void> {
  const now = db.raw('NOW(3)');
  await db('tel_contacts').insert({
    id: contact.id,
    company_id: contact.companyId,
    is_primary: contact.isPrimary,
    work_email: contact.workEmail,
    first_name: contact.firstName,
    last_name: contact.lastName,
    details: '{}',
    created_at: now,
    updated_at: now,
  });
}
