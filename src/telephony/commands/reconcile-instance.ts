/** Has one PBX compared with the database now, and waits for the report. */
import { ensure } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { reconcile } from '../jobs';
import type { Caller } from '../model/contact';
import { reportObject } from '../model/drift';
import { notOwner } from '../model/faults';
import { getInstance } from '../queries/list-sites';

export async function reconcileInstance(kernel: Kernel, by: Caller, uuid: string): Promise<object> {
  const { uuid: instance, companyId } = await getInstance(kernel, by, uuid);
  ensure(by.isOwner, notOwner());
  const report = await kernel.jobs.ask(reconcile, { companyId, instance });
  return reportObject(instance, kernel.clock.now(), report);
}
