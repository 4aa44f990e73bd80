/** Keeps which columns and lines of a file a bulk order came from, so that its results can name them in any browser. */
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { BulkFile } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import * as bulkOrders from '../../store/extensions/bulk-orders';
import { getBulkOrder } from './order-many';

export async function keepBulkFile({ transaction, mysql }: Storage, by: Caller, id: string, file: BulkFile) {
  await getBulkOrder(mysql, by, id);
  await transaction(({ db }) => bulkOrders.keepFile(db, id, JSON.stringify(file)));
  return file;
}

/** Without columns and lines if the order did not come from the portal. */
export async function getBulkFile(db: Database, by: Caller, id: string): Promise<BulkFile> {
  await getBulkOrder(db, by, id);
  const kept = await bulkOrders.fileOf(db, id);
  return kept === null ? { columns: {}, lines: [] } : (JSON.parse(kept) as BulkFile);
}
