/** Rows of tel_statuses: at most one per contact, created on first use. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import { NOTHING, OFFLINE, type ActionType, type Status } from '../../model/contacts/status';

type Row = Omit<Status, 'id' | 'main' | 'additional' | 'isOnline'> & {
  readonly id: string | null;
  readonly main: string | null;
  readonly mainType: ActionType;
  readonly additional: string;
  readonly additionalType: ActionType;
  readonly isOnline: number;
};

const COLUMNS = {
  companyId: 'c.company_id',
  email: 'c.work_email',
  contactId: 'c.id',
  id: 's.id',
  main: 's.main_status',
  mainType: 's.main_action_type',
  chosen: 's.chosen_status',
  additional: 's.additional_status',
  additionalType: 's.additional_action_type',
  isOnline: 's.is_online',
};

const statusOf = ({ main, mainType, additional, additionalType, ...row }: Row): Status => ({
  ...row,
  // A contact without a row is represented by its own id.
  id: row.id ?? row.contactId,
  main: main === null ? OFFLINE : { status: main, actionType: mainType },
  additional: main === null ? NOTHING : { status: additional, actionType: additionalType },
  isOnline: row.isOnline === 1,
});

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
    .select(COLUMNS, {
      createdAt: db.raw('COALESCE(s.created_at, c.created_at)'),
      updatedAt: db.raw('COALESCE(s.updated_at, c.created_at)'),
    })) as Row[];
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
  const online = db('tel_statuses').whereIn('contact_id', ids).where('is_online', true);
  return new Set((await online.pluck('contact_id')) as ContactId[]);
}

/** Finds whether any contact is shown as online. */
export const findOnline = (db: Knex): Knex.QueryBuilder =>
  db('tel_statuses').where('is_online', true).limit(1).select({ address: 'contact_id', tenant: 'company_id' });

/** Contacts shown as online, one page at a time. */
export async function listOnline(
  db: Knex,
  after: string,
  most: number,
): Promise<Pick<Status, 'companyId' | 'contactId'>[]> {
  return db('tel_statuses')
    .where('is_online', true)
    .where('contact_id', '>', after)
    .orderBy('contact_id')
    .limit(most)
    .select({ companyId: 'company_id', contactId: 'contact_id' });
}
