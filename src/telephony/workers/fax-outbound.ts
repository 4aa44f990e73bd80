/** Hands faxes to carriers. Any number of workers may run it. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { handOverFax } from '../commands/send-fax';
import { sendFax } from '../jobs';
import type { TelephonySettings } from '../settings';

const CONCURRENCY = 8;

export const faxOutbound = (settings: TelephonySettings): Consumer<{ readonly faxId: string }, void> =>
  consume(sendFax, {
    concurrency: CONCURRENCY,
    run: (kernel, { faxId }) => handOverFax(kernel, settings, faxId),
  });
