/** Carries orders to the PBXs. Any number of workers may run it: each PBX is served by one at a time. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { settle } from '../actors/pbx-instance/pbx-instance';
import { provision, type ProvisionOrder } from '../jobs';
import type { Telephony } from '../parts';

/** One slot for each PBX that may hang at the same time; an order that waits its turn holds none. */
const CONCURRENCY = 200;

export const pbxProvisioning = (telephony: Telephony): Consumer<ProvisionOrder, void> =>
  consume(provision, {
    concurrency: CONCURRENCY,
    run: (_kernel, order, { signal }) => settle(telephony, order, signal),
  });
