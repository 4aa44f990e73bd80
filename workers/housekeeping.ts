/** Forgets what was told or answered long ago. Any number of workers may run it: the lease lets one at a time. */
import { housekeeper, housekeepingOrder } from '../src/kernel/housekeeping';
import type { Consumer } from '../src/kernel/jobs/consume';
import type { Order } from '../src/kernel/actor/leased-turn';

export const housekeeping: Consumer<Order<null>, void> = {
  ...housekeeper.turns.tidy.consumer,
  schedule: ({ housekeepingMs }) => ({ everyMs: housekeepingMs, payload: housekeepingOrder }),
};
