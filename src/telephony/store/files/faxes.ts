/** Rows of tel_faxes. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { Fax, FaxId, FaxStatus } from '../../model/files/fax';
import type { Listed, Listing } from '../../model/paging';
import type { CarrierAccountId, Direction } from '../../model/texting/texting';
import { firstOf, pageOf } from '../reads';

type Row = Omit<Fax, 'isRead'> & { readonly isRead: number };

const COLUMNS: Readonly<Record<Exclude<keyof Fax, 'fileNumber'>, string>> = {
  id: 'id',
  companyId: 'company_id',
  direction: 'direction',
  status: 'status',
  fileId: 'file_id',
  from: 'from_number',
  fromName: 'from_name',
  to: 'to_number',
  toName: 'to_name',
  subject: 'subject',
  pages: 'pages',
  isRead: 'is_read',
  carrierAccountId: 'carrier_account_id',
  createdAt: 'created_at',
};

const faxOf = (row: Row): Fax => ({ ...row, isRead: row.isRead === 1 });

const faxes = (db: Knex, which: object) => {
  const fileNumber = db('tel_files as file').whereRaw('file.id = tel_faxes.file_id').select('file.number');
  return db('tel_faxes').where(which).select(COLUMNS, { fileNumber });
};

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

export const byId = (db: Knex, companyId: CompanyId, id: string): Promise<Fax | undefined> =>
  firstOf(faxes(db, { company_id: companyId, id }), faxOf);

/** The fax, if it still has to be sent. */
export const toSend = (db: Knex, id: string): Promise<Fax | undefined> =>
  firstOf(faxes(db, { id, status: 'queued' }), faxOf);

export interface FaxFilter {
  readonly isRead?: boolean | undefined;
  readonly direction?: Direction | undefined;
  readonly status?: FaxStatus | undefined;
}

/** Newest first. */
export async function list(
  db: Knex,
  companyId: CompanyId,
  { filter: { isRead, direction, status }, page }: Listing<FaxFilter>,
): Promise<Listed<Fax>> {
  const wanted = Object.entries({ is_read: isRead, direction, status }).filter(([, value]) => value !== undefined);
  const found = faxes(db, { company_id: companyId, ...Object.fromEntries(wanted) });
  const newestFirst = ['created_at', 'id'].map((column) => ({ column, order: 'desc' }));
  const { total, items } = await pageOf<Row>(db, found.orderBy(newestFirst), page);
  return { total, items: items.map(faxOf) };
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
