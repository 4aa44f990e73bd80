/** Requests a comparison of one PBX with the database and waits for the report. */
import { ensure } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { pbxInstances } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import { reportObject, type DriftReport } from '../../model/sites/drift';
import { stuckOn } from '../../store/extensions/operation-queries';
import { getInstance } from '../../queries/sites/sites';

type Parts = Storage & Pick<Kernel, 'jobs' | 'pause' | 'replies' | 'settings'>;

export async function reconcileInstance(kernel: Parts, by: Caller, uuid: string): Promise<object> {
  const { uuid: instance, companyId } = await getInstance(kernel.mysql, by, uuid);
  ensure(by.isOwner, notOwner());
  const pbx = pbxInstances.at(companyTenant(companyId), instance);
  const report = await pbx.request<DriftReport>(kernel, { kind: 'comparison' });
  const stuck = await stuckOn(kernel.mysql, instance);
  return reportObject(instance, { at: kernel.clock.now(), report }, stuck);
}
