/** Requests a comparison of one PBX with the database and waits for the report. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { pbxInstances } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import { reportObject, type DriftReport } from '../../model/sites/drift';
import { stuckOn } from '../../store/extensions/operation-queries';
import { getInstance } from '../../queries/sites/sites';

export async function reconcileInstance(kernel: Kernel, by: Caller, uuid: string): Promise<object> {
  const { uuid: instance, companyId } = await getInstance(kernel, by, uuid);
  ensure(by.isOwner, notOwner());
  const pbx = pbxInstances.at(companyTenant(companyId), instance);
  const report = await pbx.request<DriftReport>(kernel, { kind: 'comparison' });
  const stuck = await stuckOn(kernel.mysql, instance);
  return reportObject(instance, { at: kernel.clock.now(), report }, stuck);
}
