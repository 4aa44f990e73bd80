/** Returns the last comparison of a PBX with the database. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { noReport, notOwner } from '../../model/faults';
import { reportObject } from '../../model/sites/drift';
import * as drift from '../../store/sites/drift';
import { getInstance } from './list-sites';

export async function getDrift(kernel: Kernel, by: Caller, uuid: string): Promise<object> {
  const { uuid: instance } = await getInstance(kernel, by, uuid);
  ensure(by.isOwner, notOwner());
  const found = await findDrift(kernel, instance);
  if (!found) throw noReport();
  return found;
}

export async function findDrift({ mysql }: Kernel, instance: string): Promise<Record<string, unknown> | undefined> {
  const found = await drift.byInstance(mysql, instance);
  return found && reportObject(instance, found.at, found.report);
}
