/** Marks users offline whom no node reports any more, for example after a node was killed. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { sweepAbsent } from '../commands/contacts/show-presence';
import { sweepPresence } from '../jobs';
import type { TelephonySettings } from '../settings';

export const presenceSweep = (settings: TelephonySettings): Consumer<null, void> =>
  consume(sweepPresence, {
    concurrency: 1,
    schedule: () => ({ everyMs: settings.presenceSweepMs, payload: null }),
    run: (kernel) => sweepAbsent(kernel, settings),
  });
