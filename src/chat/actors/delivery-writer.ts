/** DeliveryWriter: takes the deliveries that come at the same time on this node down together. */
import type { Kernel } from '../../kernel/kernel';
import { openGathering, type Gathering } from '../../kernel/mysql/gathering';
import { perKernel } from '../../kernel/per-kernel';
import { insert, type NewDelivery } from '../store/deliveries';

export const deliveryWriter: (kernel: Kernel) => Gathering<NewDelivery> = perKernel(({ mysql }) =>
  openGathering({
    write: (deliveries) => insert(mysql, deliveries),
    weigh: ({ payload }) => payload.length,
    // One is gathered and sent while the other is being committed.
    atOnce: 2,
  }),
);
