/** Carries orders to the PBXs. Any number of workers may run it: each PBX is served by one at a time. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { settle } from '../actors/pbx-instance/pbx-instance';
import { provision, type ProvisionOrder } from '../jobs';
import type { ProvisioningSettings } from '../model/operation';

/** One slot for each PBX that may hang at the same time; an order that waits its turn holds none. */
const CONCURRENCY = 200;

export const pbxProvisioning = (settings: ProvisioningSettings): Consumer<ProvisionOrder, void> =>
  consume(provision, {
    concurrency: CONCURRENCY,
    run: (kernel, order, { signal }) => settle(kernel, settings, order, signal),
  });
