/** What workers do by themselves: take up orders that nobody looks after, and have every PBX compared. */
import { jobDelivery } from '../../../kernel/jobs/job';
import type { Kernel } from '../../../kernel/kernel';
import { wakeAfter } from '../../../kernel/mailbox/mailbox';
import { addressesWaiting, posting } from '../../../kernel/mailbox/own-mail';
import { comparisons } from '../../actors/mailboxes';
import { provision } from '../../jobs';
import { companyTenant } from '../../model/companies/company';
import { staleAfterMs, type ProvisioningSettings } from '../../model/extensions/operation';
import * as bulkOrders from '../../store/extensions/bulk-orders';
import { claimStale, forgetOld } from '../../store/extensions/open-operations';
import * as reloads from '../../store/sites/reloads';
import * as sites from '../../store/sites/sites';

/** Clients may ask again for as long. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MOST_FORGOTTEN = 500;

/** One job for each instance with something overdue, or with a reload to look after. */
export async function sweepStaleOrders(kernel: Kernel, settings: ProvisioningSettings): Promise<void> {
  const claimMs = staleAfterMs(kernel.settings.leaseMs, settings);
  await kernel.transaction(async (tx) => {
    for (const { companyId, instance, upTo } of await claimStale(tx.db, claimMs)) {
      tx.deliver(jobDelivery(companyTenant(companyId), provision, { payload: { companyId, instance, upTo } }));
    }
    for (const { companyId, instance } of await reloads.due(tx.db)) {
      tx.deliver(jobDelivery(companyTenant(companyId), provision, { payload: { companyId, instance, upTo: 0 } }));
    }
    await forgetOld(tx.db, KEPT_MS, MOST_FORGOTTEN);
    await bulkOrders.forgetOld(tx.db, KEPT_MS, MOST_FORGOTTEN);
  });
}

/** But those that still wait for it. */
export async function compareEveryPbx(kernel: Kernel): Promise<void> {
  const [instances, waiting] = await Promise.all([
    sites.listInstances(kernel.mysql),
    addressesWaiting(kernel.mysql, comparisons),
  ]);
  const mails = instances
    .filter(({ uuid }) => !waiting.has(uuid))
    .map(({ companyId, uuid: instance }) => ({
      tenant: companyTenant(companyId),
      address: instance,
      body: { companyId, instance },
    }));
  if (mails.length === 0) return;
  await kernel.transaction((tx) => {
    tx.writeLast(posting(comparisons, mails));
    for (const { tenant, address } of mails) wakeAfter(tx, comparisons, { id: address, group: tenant });
    return Promise.resolve();
  });
}
