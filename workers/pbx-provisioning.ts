/** Carries orders to the PBXs. Any number of workers may run it: each PBX is served by one at a time. */
import type { Config } from '../config';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import { settle } from '../src/telephony/actors/pbx-instance/pbx-instance';
import { provision, type ProvisionOrder } from '../src/telephony/jobs';

/** One slot for each PBX that may hang at the same time; an order that waits its turn holds none. */
const CONCURRENCY = 200;

export const pbxProvisioning = (config: Config): Consumer<ProvisionOrder, void> =>
  consume(provision, {
    concurrency: CONCURRENCY,
    run: (kernel, order, { signal }) => settle(kernel, config, order, signal),
  });
