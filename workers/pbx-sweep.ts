/** Takes up orders to PBXs that nobody looks after: those of the dead, and those whose effects are being undone. */
import type { Config } from '../config';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import { sweepStaleOrders } from '../src/telephony/commands/look-after-orders';
import { sweepOrders } from '../src/telephony/jobs';

export const pbxSweep = (config: Config): Consumer<null, void> =>
  consume(sweepOrders, {
    concurrency: 1,
    schedule: () => ({ everyMs: config.pbxSweepMs, payload: null }),
    run: (kernel) => sweepStaleOrders(kernel, config),
  });
