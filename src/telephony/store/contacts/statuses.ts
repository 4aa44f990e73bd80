/** Rows of tel_statuses: at most one per contact, created on first use. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import { NOTHING, OFFLINE, type ActionType, type Status } from '../../model/contacts/status';

interface Row {
  id: string | null;
  company_id: CompanyId;
  contact_id: ContactId;
  work_email: string;
  main_status: string | null;
  main_action_type: ActionType;
  chosen_status: string | null;
  additional_status: string;
  additional_action_type: ActionType;
  is_online: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = [
  'c.company_id',
  'c.work_email',
  'c.id AS contact_id',
  's.id',
  's.main_status',
  's.main_action_type',
  's.chosen_status',
  's.additional_status',
  's.additional_action_type',
  's.is_online',
];

function statusOf(row: Row): Status {
  const stored = row.main_status !== null;
  return {
    // A contact without a row is represented by its own id.
    id: row.id ?? row.contact_id,
    companyId: row.company_id,
    contactId: row.contact_id,
    email: row.work_email,
    main: stored ? { status: row.main_status!, actionType: row.main_action_type } : OFFLINE,
    chosen: row.chosen_status,
    additional: stored ? { status: row.additional_status, actionType: row.additional_action_type } : NOTHING,
    isOnline: row.is_online === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The statuses of everyone in the company, or only of these contacts. */
export async function list(
  db: Knex,
  companyId: CompanyId,
  { ids, most }: { ids: readonly string[] | undefined; most: number },
): Promise<Status[]> {
  const rows = (await db('tel_contacts AS c')
    .leftJoin('tel_statuses AS s', 's.contact_id', 'c.id')
    .where('c.company_id', companyId)
    .modify((query) => void (ids && query.whereIn('c.id', ids)))
    .orderBy([{ column: 'c.is_primary', order: 'desc' }, 'c.created_at', 'c.id'])
    .limit(most)
    .select(
      ...COLUMNS,
      db.raw('COALESCE(s.created_at, c.created_at) AS created_at'),
      db.raw('COALESCE(s.updated_at, c.created_at) AS updated_at'),
    )) as Row[];
  return rows.map(statusOf);
}

/** Locks the status rows of these contacts, and creates missing ones. */
export async function lock(db: Knex, companyId: CompanyId, ids: readonly ContactId[]): Promise<Status[]> {
  await make(db, companyId, ids);
  // Locks only the status rows; other transactions lock the contacts' rows.
  await db('tel_statuses').whereIn('contact_id', ids).orderBy('contact_id').forUpdate().select('contact_id');
  return list(db, companyId, { ids, most: ids.length });
}

/** Reads first, because an ignored insert would still lock the row. */
async function make(db: Knex, companyId: CompanyId, ids: readonly ContactId[]): Promise<void> {
  const known = new Set((await db('tel_statuses').whereIn('contact_id', ids).pluck('contact_id')) as ContactId[]);
  const now = db.raw('NOW(3)');
  const missing = ids
    .filter((id) => !known.has(id))
    .map((contactId) => ({
      contact_id: contactId,
      company_id: companyId,
      id: newId(),
      main_status: OFFLINE.status,
      main_action_type: OFFLINE.actionType,
      additional_status: NOTHING.status,
      additional_action_type: NOTHING.actionType,
      is_online: false,
      created_at: now,
      updated_at: now,
    }));
  if (missing.length > 0) await db('tel_statuses').insert(missing).onConflict('contact_id').ignore();
}

export async function update(db: Knex, status: Status): Promise<void> {
  await db('tel_statuses').where({ contact_id: status.contactId }).update({
    main_status: status.main.status,
    main_action_type: status.main.actionType,
    chosen_status: status.chosen,
    additional_status: status.additional.status,
    additional_action_type: status.additional.actionType,
    is_online: status.isOnline,
    updated_at: status.updatedAt,
  });
}

/** Filters the ids to those shown as online. */
export async function onlineAmong(db: Knex, ids: readonly ContactId[]): Promise<Set<ContactId>> {
  const found = (await db('tel_statuses').whereIn('contact_id', ids).where('is_online', true).pluck('contact_id')) as
    | ContactId[]
    | [];
  return new Set(found);
}

export interface OnlineContact {
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
}

/** Contacts shown as online, one page at a time. */
export async function listOnline(db: Knex, after: string, most: number): Promise<OnlineContact[]> {
  return db('tel_statuses')
    .where('is_online', true)
    .where('contact_id', '>', after)
    .orderBy('contact_id')
    .limit(most)
    .select({ companyId: 'company_id', contactId: 'contact_id' });
}
