/** Nudges senders and readers of texts that nobody was told of, and those whose time has come again. */
import { consume } from '../src/kernel/jobs/consume';
import { sweepTexts } from '../src/telephony/commands/sweep-texting';
import { sweepTexting } from '../src/telephony/jobs';

export const textingSweep = consume(sweepTexting, {
  concurrency: 1,
  schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
  run: (kernel) => sweepTexts(kernel),
});
