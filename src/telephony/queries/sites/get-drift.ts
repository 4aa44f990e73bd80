/** Returns the last comparison of a PBX with the database. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { noReport, notOwner } from '../../model/faults';
import type { Wire } from '../../../kernel/text/wire';
import type { driftReport } from '../../model/answers/company';
import { reportObject } from '../../model/sites/drift';
import { stuckOn } from '../../store/extensions/open-operations';
import * as drift from '../../store/sites/drift';
import { getInstance } from './list-sites';

export async function getDrift(kernel: Kernel, by: Caller, uuid: string): Promise<object> {
  const { uuid: instance } = await getInstance(kernel, by, uuid);
  ensure(by.isOwner, notOwner());
  const found = await findDrift(kernel, instance);
  if (!found) throw noReport();
  return found;
}

export async function findDrift({ mysql }: Kernel, instance: string): Promise<Wire<typeof driftReport> | undefined> {
  const [found, stuck] = await Promise.all([drift.byInstance(mysql, instance), stuckOn(mysql, instance)]);
  return found && reportObject(instance, found, stuck);
}
