/** Background work on orders: sweeps for PBXs with pending work and no mail, and requests comparisons. */
import type { Kernel } from '../../../kernel/kernel';
import { commitWrites } from '../../../kernel/mysql/commit-statements';
import { pbxInstances, type PbxMail } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import * as bulkOrders from '../../store/extensions/bulk-orders';
import { forgetOld, instancesWithStale } from '../../store/extensions/open-operations';
import * as reloads from '../../store/sites/reloads';
import * as sites from '../../store/sites/sites';
import type { OwnedInstance } from '../../store/sites/sites';

/** Clients may query a finished order for this long. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MAX_FORGOTTEN = 500;
const MAX_POSTED = 500;

/** Posts mail for PBXs with an undo or reload that is due, or an order without mail. Also deletes old orders. */
export async function lookForPbxWork(kernel: Kernel): Promise<void> {
  const { mysql } = kernel;
  const found = await Promise.all([
    instancesWithStale(mysql, pbxInstances.name),
    reloads.due(mysql, pbxInstances.name),
  ]);
  const byInstance = new Map(found.flat().map((each) => [each.instance, each]));
  await postAll(kernel, [...byInstance.values()], {});
  await forgetOld(mysql, KEPT_MS, MAX_FORGOTTEN);
  await bulkOrders.forgetOld(mysql, KEPT_MS, MAX_FORGOTTEN);
}

export async function compareEveryPbx(kernel: Kernel): Promise<void> {
  const instances = await sites.listInstances(kernel.mysql);
  const owned = instances.map(({ companyId, uuid: instance }) => ({ companyId, instance }));
  for (let from = 0; from < owned.length; from += MAX_POSTED) {
    await postAll(kernel, owned.slice(from, from + MAX_POSTED), { isComparison: true });
  }
}

async function postAll(kernel: Kernel, instances: readonly OwnedInstance[], body: PbxMail): Promise<void> {
  if (instances.length === 0) return;
  await commitWrites(kernel, (tx) => {
    for (const { companyId, instance } of instances) pbxInstances.at(companyTenant(companyId), instance).send(tx, body);
  });
}
