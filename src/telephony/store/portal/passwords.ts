/** Rows of tel_passwords, and the contacts that an email address may belong to. */
import type { Knex } from 'knex';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import { MAX_COMPANIES, type Candidate } from '../../model/portal/portal';

/**
 * The contacts with this address. It may belong to contacts of several active companies; the latest login comes first.
 */
export async function candidates(db: Knex, email: string, companyId?: CompanyId): Promise<Candidate[]> {
  const query = db('tel_contacts AS c')
    .join('tel_companies AS o', 'o.id', 'c.company_id')
    .leftJoin('tel_passwords AS p', 'p.contact_id', 'c.id')
    .where({ 'c.work_email_key': emailKey(email), 'c.is_activated': true, 'o.status': 'active' })
    .orderBy([{ column: 'c.last_enter_at', order: 'desc' }, 'c.id']);
  if (companyId !== undefined) query.where({ 'c.company_id': companyId });
  const found = (await query.select({
    contactId: 'c.id',
    companyId: 'c.company_id',
    companyName: 'o.name',
    workEmail: 'c.work_email',
    passwordHash: 'p.password_hash',
  })) as Candidate[];
  // The key also finds contacts whose address only looks like this one.
  return found.filter(({ workEmail }) => isSameEmail(workEmail, email)).slice(0, MAX_COMPANIES);
}

export async function hashOf(db: Knex, contactId: ContactId): Promise<string | null> {
  const row = (await db('tel_passwords').where({ contact_id: contactId }).first('password_hash')) as
    | { password_hash: string }
    | undefined;
  return row?.password_hash ?? null;
}

export async function set(db: Knex, contactId: ContactId, passwordHash: string): Promise<void> {
  await db('tel_passwords')
    .insert({ contact_id: contactId, password_hash: passwordHash, set_at: db.raw('NOW(3)') })
    .onConflict('contact_id')
    .merge();
}
