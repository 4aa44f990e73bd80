/** Takes up the orders to PBXs whose worker died, and those whose effects are being undone. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { sweepStaleOrders } from '../commands/extensions/look-after-orders';
import { sweepOrders } from '../jobs';
import type { ProvisioningSettings } from '../model/extensions/operation';

export const pbxSweep = (settings: ProvisioningSettings): Consumer<null, void> =>
  consume(sweepOrders, {
    concurrency: 1,
    schedule: () => ({ everyMs: settings.pbxSweepMs, payload: null }),
    run: (kernel) => sweepStaleOrders(kernel, settings),
  });
