/** Rows of tel_audit: who did what to which object, when and from where. Never contains credentials. */
import type { Knex } from 'knex';
import { ago } from '../../../kernel/mysql/sql-parts';
import type { CompanyId } from '../../model/companies/company';
import type { Caller, ContactId } from '../../model/contacts/contact';
import type { Listed, Listing } from '../../model/paging';
import { pageOf } from '../reads';

export interface AuditRecord {
  /** Object and verb: `contact.create`. */
  readonly action: string;
  readonly object: string;
  readonly detail?: object;
}

interface Doer {
  readonly companyId: CompanyId;
  readonly contactId: ContactId | null;
  readonly from: string;
}

const lineOf = (by: Doer, { action, object, detail = {} }: AuditRecord) => ({
  company_id: by.companyId,
  contact_id: by.contactId,
  address: by.from.slice(0, 64),
  action,
  object_type: action.split('.')[0],
  object_id: object,
  detail: JSON.stringify(detail),
});

export async function record(db: Knex, by: Doer, action: AuditRecord): Promise<void> {
  await db('tel_audit').insert({ ...lineOf(by, action), at: db.raw('NOW(3)') });
}

/** Whether the same person has done this to the object not long ago. */
// oxlint-disable-next-line max-params -- who, what, and since when
export async function hasDone(
  db: Knex,
  { companyId, contactId }: Doer,
  { action, object }: AuditRecord,
  withinMs: number,
): Promise<boolean> {
  const found: unknown = await db('tel_audit')
    .where({ company_id: companyId, object_id: object, action, contact_id: contactId })
    .where('at', '>', ago(db, withinMs))
    .first('id');
  return found !== undefined;
}

/** A statement for a packet that records the action only if the SQL condition holds. */
export function recordIf(condition: string, by: Doer, action: AuditRecord): { sql: string; bindings: unknown[] } {
  const line = lineOf(by, action);
  const names = Object.keys(line);
  const marks = names.map(() => '?').join(', ');
  return {
    sql: `INSERT INTO tel_audit (${names.join(', ')}, at) SELECT ${marks}, NOW(3) FROM DUAL WHERE ${condition}`,
    bindings: Object.values(line),
  };
}

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly object_id?: string | undefined;
  readonly contact_id?: string | undefined;
}

export interface AuditLine {
  readonly id: number;
  readonly contact_id: ContactId | null;
  readonly address: string;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly detail: string;
  readonly at: Date;
}

/** Newest first. */
export const list = (db: Knex, by: Caller, { filter, page }: Listing<AuditFilter>): Promise<Listed<AuditLine>> => {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const found = db('tel_audit')
    .where({ company_id: by.companyId, ...Object.fromEntries(wanted) })
    .orderBy('id', 'desc')
    .select('id', 'contact_id', 'address', 'action', 'object_type', 'object_id', 'detail', 'at');
  return pageOf(db, found, page);
};
