/** Rows of tel_contacts. */
import type { Knex } from 'knex';
import { countRows, fromNow } from '../../../kernel/mysql/sql-parts';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import type { CompanyId } from '../../model/companies/company';
import {
  noContactDetails,
  type Contact,
  type ContactDetails,
  type ContactId,
  type NewContact,
} from '../../model/contacts/contact';
import type { Listed, Listing } from '../../model/paging';
import { containing, firstOf, pageOf } from '../reads';

interface Row {
  id: ContactId;
  company_id: CompanyId;
  is_primary: number;
  work_email: string;
  first_name: string;
  last_name: string;
  is_activated: number;
  details: string;
  invited_at: Date | null;
  invitation_ends_at: Date | null;
  accepted_at: Date | null;
  last_enter_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const contactOf = (row: Row): Contact => ({
  id: row.id,
  companyId: row.company_id,
  isPrimary: row.is_primary === 1,
  workEmail: row.work_email,
  firstName: row.first_name,
  lastName: row.last_name,
  isActivated: row.is_activated === 1,
  details: { ...noContactDetails, ...(JSON.parse(row.details) as Partial<ContactDetails>) },
  invitation: { issuedAt: row.invited_at, endsAt: row.invitation_ends_at, acceptedAt: row.accepted_at },
  lastEnterAt: row.last_enter_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const count = (db: Knex, companyId: CompanyId): Promise<number> =>
  countRows(db('tel_contacts').where({ company_id: companyId }));

export async function insert(db: Knex, contact: NewContact): Promise<void> {
  const now = db.raw('NOW(3)');
  const { invitation } = contact;
  await db('tel_contacts').insert({
    id: contact.id,
    company_id: contact.companyId,
    is_primary: contact.isPrimary,
    ...changeable(contact),
    ...(invitation ? issued(db, invitation) : { invited_at: now, accepted_at: now }),
    created_at: now,
    updated_at: now,
  });
}

const changeable = (contact: Pick<NewContact, 'workEmail' | 'firstName' | 'lastName' | 'isActivated' | 'details'>) => ({
  work_email: contact.workEmail,
  work_email_key: emailKey(contact.workEmail),
  first_name: contact.firstName,
  last_name: contact.lastName,
  is_activated: contact.isActivated ?? true,
  details: JSON.stringify(contact.details ?? noContactDetails),
});

const issued = (db: Knex, { hash, lastsMs }: { hash: string; lastsMs: number }) => ({
  invitation_hash: hash,
  invited_at: db.raw('NOW(3)'),
  invitation_ends_at: fromNow(db, lastsMs),
  accepted_at: null,
});

/** Stores a new invitation token, which replaces the previous one. */
export async function invite(db: Knex, id: ContactId, invitation: { hash: string; lastsMs: number }): Promise<void> {
  await db('tel_contacts').where({ id }).update(issued(db, invitation));
}

export async function accept(db: Knex, id: ContactId): Promise<void> {
  const now = db.raw('NOW(3)');
  await db('tel_contacts').where({ id }).update({ accepted_at: now, updated_at: now, invitation_hash: null });
}

/** The contact that was invited with this token. */
export const invited = (db: Knex, hash: string): Promise<ContactId | undefined> =>
  firstOf(db('tel_contacts').where({ invitation_hash: hash }).select('id'), ({ id }: Row) => id);

/** Locks the row of the invited contact. */
export const lockInvited = (db: Knex, hash: string): Promise<Contact | undefined> =>
  firstOf(db('tel_contacts').where({ invitation_hash: hash }).forUpdate(), contactOf);

export const byId = (db: Knex, companyId: CompanyId, id: string): Promise<Contact | undefined> =>
  firstOf(db('tel_contacts').where({ company_id: companyId, id }), contactOf);

/** The company of a contact, for callers that know only the contact's id. */
export const companyOf = (db: Knex, id: ContactId): Promise<CompanyId | undefined> =>
  firstOf(db('tel_contacts').where({ id }).select('company_id'), (row: Row) => row.company_id);

export async function byIds(db: Knex, companyId: CompanyId, ids: readonly ContactId[]): Promise<Contact[]> {
  if (ids.length === 0) return [];
  const rows = (await db('tel_contacts').where({ company_id: companyId }).whereIn('id', ids)) as Row[];
  return rows.map(contactOf);
}

/** Filters the ids to contacts that exist and are enabled. */
export async function activeAmong(db: Knex, companyId: CompanyId, ids: readonly ContactId[]): Promise<ContactId[]> {
  return (await db('tel_contacts')
    .where({ company_id: companyId, is_activated: true })
    .whereIn('id', ids)
    .pluck('id')) as ContactId[];
}

export async function entered(db: Knex, id: ContactId): Promise<void> {
  await db('tel_contacts')
    .where({ id })
    .update({ last_enter_at: db.raw('NOW(3)') });
}

export async function byEmail(db: Knex, companyId: CompanyId, workEmail: string): Promise<Contact | undefined> {
  const like = { company_id: companyId, work_email_key: emailKey(workEmail) };
  const rows = (await db('tel_contacts').where(like)) as Row[];
  const row = rows.find((each) => isSameEmail(each.work_email, workEmail));
  return row && contactOf(row);
}

/** The owner of the company. */
export const primary = (db: Knex, companyId: CompanyId): Promise<Contact | undefined> =>
  firstOf(db('tel_contacts').where({ company_id: companyId, is_primary: true }), contactOf);

/** Locks this contact's row. */
export const lock = (db: Knex, companyId: CompanyId, id: string): Promise<Contact | undefined> =>
  firstOf(db('tel_contacts').where({ company_id: companyId, id }).forUpdate(), contactOf);

export async function update(db: Knex, contact: Contact): Promise<void> {
  await db('tel_contacts')
    .where({ id: contact.id })
    .update({ ...changeable(contact), updated_at: db.raw('NOW(3)') });
}

export async function remove(db: Knex, id: ContactId): Promise<void> {
  await db('tel_contacts').where({ id }).delete();
}

/** A search, which shows whom it finds: an address also finds what looks like it. */
export interface ContactFilter {
  readonly first_name?: string | undefined;
  readonly work_email?: string | undefined;
  /** Any part of the name or address. */
  readonly search?: string | undefined;
}

const matchText = (query: Knex.QueryBuilder, pattern: string): void =>
  void query.whereRaw("CONCAT(first_name, ' ', last_name) LIKE ?", [pattern]).orWhere('work_email', 'like', pattern);

/** The primary contact first, then in order of creation. */
export async function list(
  db: Knex,
  companyId: CompanyId,
  { filter: { first_name, work_email, search }, page }: Listing<ContactFilter>,
): Promise<Listed<Contact>> {
  const found = db('tel_contacts').where({ company_id: companyId });
  if (first_name !== undefined) found.where({ first_name });
  if (work_email !== undefined) found.where({ work_email_key: emailKey(work_email) });
  if (search !== undefined) void found.where((part) => matchText(part, containing(search)));
  const inOrder = found.orderBy([{ column: 'is_primary', order: 'desc' }, 'created_at', 'id']);
  const { total, items } = await pageOf<Row>(db, inOrder, page);
  return { total, items: items.map(contactOf) };
}

export interface NamedContact {
  readonly id: ContactId;
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

/** The oldest contacts of all companies, for development. */
export async function some(db: Knex, most: number): Promise<NamedContact[]> {
  return (await db('tel_contacts AS c')
    .join('tel_companies AS o', 'o.id', 'c.company_id')
    .where({ 'c.is_activated': true, 'o.status': 'active' })
    .orderBy(['c.created_at', { column: 'c.is_primary', order: 'desc' }, 'c.id'])
    .limit(most)
    .select({
      id: 'c.id',
      name: db.raw("TRIM(CONCAT(c.first_name, ' ', c.last_name))"),
      email: 'c.work_email',
      company: 'o.name',
    })) as NamedContact[];
}
