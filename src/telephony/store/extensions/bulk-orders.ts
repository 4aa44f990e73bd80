/** Rows of tel_bulk_orders. */
import type { Knex } from 'knex';
import type { Clearing } from '../../../kernel/jobs/sweeper';
import { ago } from '../../../kernel/mysql/sql-parts';
import type { CompanyId } from '../../model/companies/company';
import type { Caller, ContactId } from '../../model/contacts/contact';
import type { BulkMode, BulkOrder, RowResult } from '../../model/extensions/bulk';
import { KEPT_MS } from '../../model/extensions/operation';
import { firstOf } from '../reads';

interface Row {
  id: string;
  company_id: CompanyId;
  contact_id: ContactId;
  is_owner: number;
  is_at_portal: number;
  address: string;
  instance: string;
  mode: BulkMode;
  is_finished: number;
  total: number;
  content: string | null;
  results: string;
  created_at: Date;
  updated_at: Date;
}

const orderOf = (row: Row): BulkOrder => ({
  id: row.id,
  companyId: row.company_id,
  by: {
    companyId: row.company_id,
    contactId: row.contact_id,
    isOwner: row.is_owner === 1,
    from: row.address,
    isAtPortal: row.is_at_portal === 1,
  },
  instance: row.instance,
  mode: row.mode,
  isFinished: row.is_finished === 1,
  total: row.total,
  content: row.content,
  results: JSON.parse(row.results) as RowResult[],
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export type NewBulkOrder = Pick<BulkOrder, 'id' | 'by' | 'instance' | 'mode' | 'total'> & { readonly content: string };

export async function insert(db: Knex, order: NewBulkOrder): Promise<void> {
  const now = db.raw('NOW(3)');
  await db('tel_bulk_orders').insert({
    id: order.id,
    company_id: order.by.companyId,
    contact_id: order.by.contactId,
    is_owner: order.by.isOwner,
    is_at_portal: order.by.isAtPortal === true,
    address: order.by.from.slice(0, 64),
    instance: order.instance,
    mode: order.mode,
    is_finished: false,
    total: order.total,
    content: order.content,
    results: '[]',
    created_at: now,
    updated_at: now,
  });
}

export const byId = (db: Knex, id: string): Promise<BulkOrder | undefined> =>
  firstOf(db('tel_bulk_orders').where({ id }), orderOf);

export interface BulkLine extends Pick<BulkOrder, 'id' | 'instance' | 'mode' | 'total' | 'createdAt'> {
  readonly isFinished: number;
}

/** Without the rows of the orders. The owner sees everybody's orders, others only their own. */
export async function latest(db: Knex, by: Caller, most: number): Promise<BulkLine[]> {
  return (await db('tel_bulk_orders')
    .where({ company_id: by.companyId, ...(by.isOwner ? {} : { contact_id: by.contactId }) })
    .orderBy('created_at', 'desc')
    .limit(most)
    .select('id', 'instance', 'mode', 'total', { isFinished: 'is_finished', createdAt: 'created_at' })) as BulkLine[];
}

export async function progress(
  db: Knex,
  id: string,
  results: readonly RowResult[],
  isFinished: boolean,
): Promise<void> {
  await db('tel_bulk_orders')
    .where({ id, is_finished: false })
    .update({
      results: JSON.stringify(results),
      is_finished: isFinished,
      updated_at: db.raw('NOW(3)'),
      ...(isFinished ? { content: null } : {}),
    });
}

/** What the portal remembers of the file that the order came from, as JSON. */
export async function keepFile(db: Knex, id: string, names: string): Promise<void> {
  await db('tel_bulk_orders').where({ id }).update({ file_names: names });
}

export const fileOf = async (db: Knex, id: string): Promise<string | null> =>
  ((await db('tel_bulk_orders').where({ id }).first('file_names')) as { file_names: string | null } | undefined)
    ?.file_names ?? null;

export const oldBulkOrders: Clearing = {
  table: 'tel_bulk_orders',
  key: 'id',
  old: (db) => [db('tel_bulk_orders').where({ is_finished: true }).where('updated_at', '<', ago(db, KEPT_MS))],
};
