/** Background work on orders: requests comparisons of all PBXs, and deletes what clients may no longer query. */
import type { Kernel } from '../../../kernel/kernel';
import { commitWrites } from '../../../kernel/mysql/commit-statements';
import type { Database } from '../../../kernel/mysql/pool';
import { pbxInstances } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import * as bulkOrders from '../../store/extensions/bulk-orders';
import { forgetOld } from '../../store/extensions/operation-endings';
import * as sites from '../../store/sites/sites';

/** Clients may query a finished order for this long. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MAX_FORGOTTEN = 500;
const MAX_POSTED = 500;

export async function forgetOldOrders(db: Database): Promise<void> {
  await forgetOld(db, KEPT_MS, MAX_FORGOTTEN);
  await bulkOrders.forgetOld(db, KEPT_MS, MAX_FORGOTTEN);
}

export async function compareEveryPbx(kernel: Pick<Kernel, 'jobs' | 'mysql' | 'pause'>): Promise<void> {
  const instances = await sites.listInstances(kernel.mysql);
  for (let from = 0; from < instances.length; from += MAX_POSTED) {
    await commitWrites(kernel, (tx) => {
      for (const { companyId, uuid } of instances.slice(from, from + MAX_POSTED))
        pbxInstances.at(companyTenant(companyId), uuid).send(tx, { kind: 'comparison' });
    });
  }
}
