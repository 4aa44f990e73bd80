/** Lists the last bulk orders. */
import type { Kernel } from '../../../kernel/kernel';
import type { PortalBulkOrder } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import * as bulkOrders from '../../store/extensions/bulk-orders';

const MAX = 20;

export async function listBulkOrders({ mysql }: Kernel, by: Caller): Promise<PortalBulkOrder[]> {
  const found = await bulkOrders.latest(mysql, by, MAX);
  return found.map(({ id, instance, mode, isFinished, total, createdAt }) => ({
    id,
    instance_uuid: instance,
    mode,
    state: isFinished === 1 ? 'finished' : 'running',
    total,
    created: createdAt.toISOString(),
  }));
}
