/** Lists the provisioning states of extensions. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { standingOf, type Standing } from '../../model/extensions/provisioning-state';
import { lastOf } from '../../store/extensions/last-operations';
import * as drift from '../../store/sites/drift';
import { getInstance } from '../sites/list-sites';

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
