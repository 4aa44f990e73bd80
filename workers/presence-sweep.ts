/** Shows users as offline whom no node reports any more, such as those of a node that was killed. */
import type { Config } from '../config';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import { sweepAbsent } from '../src/telephony/commands/show-presence';
import { sweepPresence } from '../src/telephony/jobs';

export const presenceSweep = (config: Config): Consumer<null, void> =>
  consume(sweepPresence, {
    concurrency: 1,
    schedule: () => ({ everyMs: config.presenceSweepMs, payload: null }),
    run: (kernel) => sweepAbsent(kernel, config),
  });
