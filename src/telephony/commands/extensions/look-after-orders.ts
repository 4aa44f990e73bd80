/** Requests comparisons of PBXs with the database, and says which orders clients may no longer query. */
import { ensure } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { commitWrites } from '../../../kernel/mysql/commit-statements';
import { pbxInstances } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import type { Instance } from '../../model/sites/site';
import { reportObject, type DriftReport } from '../../model/sites/drift';
import { getInstance } from '../../queries/sites/sites';
import { stuckOn } from '../../store/extensions/operation-queries';
import * as sites from '../../store/sites/sites';

export { oldBulkOrders } from '../../store/extensions/bulk-orders';
export { oldOrders } from '../../store/extensions/operation-endings';

const MAX_POSTED = 500;

export async function compareEveryPbx(kernel: Pick<Kernel, 'jobs' | 'mysql' | 'pause'>): Promise<void> {
  const instances = await sites.listInstances(kernel.mysql);
  for (let from = 0; from < instances.length; from += MAX_POSTED) {
    await commitWrites(kernel, (tx) => {
      for (const { companyId, uuid } of instances.slice(from, from + MAX_POSTED))
        pbxInstances.at(companyTenant(companyId), uuid).send(tx, { kind: 'comparison' });
    });
  }
}

/** Somebody has changed the state of an extension at the telephone: the PBX is looked at, and what it has is adopted. */
export const lookAtState = (
  kernel: Pick<Kernel, 'jobs' | 'mysql' | 'pause'>,
  { companyId, uuid }: Pick<Instance, 'companyId' | 'uuid'>,
  number: number,
): Promise<void> =>
  commitWrites(kernel, (tx) => pbxInstances.at(companyTenant(companyId), uuid).send(tx, { kind: 'state', number }));

/** Compares one PBX and waits for the report. */
export async function reconcileInstance(
  kernel: Storage & Pick<Kernel, 'jobs' | 'pause' | 'replies' | 'settings'>,
  by: Caller,
  uuid: string,
): Promise<object> {
  const { uuid: instance, companyId } = await getInstance(kernel.mysql, by, uuid);
  ensure(by.isOwner, notOwner());
  const pbx = pbxInstances.at(companyTenant(companyId), instance);
  const report = await pbx.request<DriftReport>(kernel, { kind: 'comparison' });
  const stuck = await stuckOn(kernel.mysql, instance);
  return reportObject(instance, { at: kernel.clock.now(), report }, stuck);
}
