/** Wakes the senders and readers of texts that no worker looks at, and those that are due again. */
import { consume } from '../../kernel/jobs/consume';
import { sweepTexts } from '../commands/sweep-texting';
import { sweepTexting } from '../jobs';
import type { Telephony } from '../parts';

export const textingSweep = (telephony: Telephony) =>
  consume(sweepTexting, {
    concurrency: 1,
    schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
    run: () => sweepTexts(telephony),
  });
