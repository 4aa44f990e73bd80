/** DeliveryWriter: takes the deliveries that come at the same time on this node down together. */
import type { Kernel } from '../../kernel/kernel';
import { openLanes, type Gathering } from '../../kernel/mysql/gathering';
import { perKernel } from '../../kernel/per-kernel';
import { insert, type NewDelivery } from '../store/deliveries';

export const deliveryWriter: (kernel: Kernel) => Gathering<NewDelivery> = perKernel(({ mysql }) =>
  openLanes(
    { write: (deliveries) => insert(mysql, deliveries), weigh: ({ payload }) => payload.length },
    // A bot's messages come in the order in which its deliveries came.
    ({ botId }) => botId,
  ),
);
