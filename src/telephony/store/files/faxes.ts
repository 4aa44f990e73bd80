/** Rows of tel_faxes. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { CompanyId } from '../../model/companies/company';
import type { Fax, FaxId, FaxStatus } from '../../model/files/fax';
import type { FileId } from '../../model/files/file';
import { offsetOf, type Page } from '../../model/paging';
import type { CarrierAccountId, Direction } from '../../model/texting/texting';

interface Row {
  id: FaxId;
  company_id: CompanyId;
  direction: Direction;
  status: FaxStatus;
  file_id: FileId | null;
  file_number: number | null;
  from_number: string;
  from_name: string;
  to_number: string;
  to_name: string;
  subject: string;
  pages: number;
  is_read: number;
  carrier_account_id: CarrierAccountId;
  created_at: Date;
}

const faxOf = (row: Row): Fax => ({
  id: row.id,
  companyId: row.company_id,
  direction: row.direction,
  status: row.status,
  fileId: row.file_id,
  fileNumber: row.file_number,
  from: row.from_number,
  fromName: row.from_name,
  to: row.to_number,
  toName: row.to_name,
  subject: row.subject,
  pages: row.pages,
  isRead: row.is_read === 1,
  carrierAccountId: row.carrier_account_id,
  createdAt: row.created_at,
});

const faxes = (db: Knex) =>
  db('tel_faxes as fax').leftJoin('tel_files as file', 'file.id', 'fax.file_id').select('fax.*', {
    file_number: 'file.number',
  });

export async function insert(db: Knex, fax: Omit<Fax, 'fileNumber'>, carrierMessageId: string | null): Promise<void> {
  await db('tel_faxes').insert({
    id: fax.id,
    company_id: fax.companyId,
    direction: fax.direction,
    status: fax.status,
    file_id: fax.fileId,
    from_number: fax.from,
    from_name: fax.fromName,
    to_number: fax.to,
    to_name: fax.toName,
    subject: fax.subject,
    pages: fax.pages,
    is_read: fax.isRead,
    carrier_account_id: fax.carrierAccountId,
    carrier_message_id: carrierMessageId,
    created_at: fax.createdAt,
  });
}

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<Fax | undefined> {
  const row = (await faxes(db).where({ 'fax.company_id': companyId, 'fax.id': id }).first()) as Row | undefined;
  return row && faxOf(row);
}

/** The fax, if it still has to be sent. */
export async function toSend(db: Knex, id: string): Promise<Fax | undefined> {
  const row = (await faxes(db).where({ 'fax.id': id, 'fax.status': 'queued' }).first()) as Row | undefined;
  return row && faxOf(row);
}

export interface FaxFilter {
  readonly isRead?: boolean | undefined;
  readonly direction?: Direction | undefined;
  readonly status?: FaxStatus | undefined;
}

const conditions = (companyId: CompanyId, { isRead, direction, status }: FaxFilter) => ({
  'fax.company_id': companyId,
  ...(isRead === undefined ? {} : { 'fax.is_read': isRead }),
  ...(direction === undefined ? {} : { 'fax.direction': direction }),
  ...(status === undefined ? {} : { 'fax.status': status }),
});

export const count = (db: Knex, companyId: CompanyId, filter: FaxFilter): Promise<number> =>
  countRows(db('tel_faxes as fax').where(conditions(companyId, filter)));

/** Newest first. */
export async function list(db: Knex, companyId: CompanyId, query: { filter: FaxFilter; page: Page }): Promise<Fax[]> {
  const rows = (await faxes(db)
    .where(conditions(companyId, query.filter))
    .orderBy([
      { column: 'fax.created_at', order: 'desc' },
      { column: 'fax.id', order: 'desc' },
    ])
    .limit(query.page.size)
    .offset(offsetOf(query.page))) as Row[];
  return rows.map(faxOf);
}

export async function markRead(db: Knex, id: FaxId, isRead: boolean): Promise<void> {
  await db('tel_faxes').where({ id }).update({ is_read: isRead });
}

export async function remove(db: Knex, id: FaxId): Promise<void> {
  await db('tel_faxes').where({ id }).delete();
}

/** Records that the carrier accepted the fax, or that sending failed. */
export async function finishSending(
  db: Knex,
  id: FaxId,
  end: { carrierMessageId: string } | { error: string },
): Promise<void> {
  const change =
    'error' in end
      ? { status: 'failed', error: end.error.slice(0, 500) }
      : { status: 'sent', carrier_message_id: end.carrierMessageId };
  await db('tel_faxes').where({ id, status: 'queued' }).update(change);
}

/** Records a receipt, unless the fax has already ended. Returns whether the fax is known. */
export async function recordReceipt(
  db: Knex,
  key: { accountId: CarrierAccountId; carrierMessageId: string },
  { status, error }: { status: 'delivered' | 'failed'; error: string | null },
): Promise<boolean> {
  const named = { carrier_account_id: key.accountId, carrier_message_id: key.carrierMessageId };
  await db('tel_faxes')
    .where({ ...named, status: 'sent' })
    .update({ status, error });
  return (await db('tel_faxes').where(named).first('id')) !== undefined;
}

export async function isKnown(db: Knex, accountId: CarrierAccountId, carrierMessageId: string): Promise<boolean> {
  const named = { carrier_account_id: accountId, carrier_message_id: carrierMessageId };
  return (await db('tel_faxes').where(named).first('id')) !== undefined;
}
