/** How extensions stand with their PBX. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contact';
import { standingOf, type Standing } from '../../model/provisioning-state';
import * as drift from '../../store/drift';
import { lastOf } from '../../store/last-operations';
import { getInstance } from '../list-sites';

export async function listStandings(
  { mysql }: Kernel,
  by: Caller,
  { uuid, numbers }: { readonly uuid: string; readonly numbers: readonly number[] },
): Promise<Standing[]> {
  const { uuid: instance } = await getInstance({ mysql }, by, uuid);
  const [orders, comparison] = await Promise.all([lastOf(mysql, instance, numbers), drift.byInstance(mysql, instance)]);
  const orderOf = new Map(orders.map((order) => [order.extensionNumber, order]));
  return numbers.map((number) => standingOf(number, orderOf.get(number), comparison));
}
