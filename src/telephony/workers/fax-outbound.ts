/** Hands faxes to carriers. Any number of workers may run it. */
import { consume } from '../../kernel/jobs/consume';
import { handOverFax } from '../commands/send-fax';
import { sendFax } from '../jobs';
import type { Telephony } from '../parts';

const CONCURRENCY = 8;

export const faxOutbound = (telephony: Telephony) =>
  consume(sendFax, {
    concurrency: CONCURRENCY,
    run: (_kernel, { faxId }) => handOverFax(telephony, faxId),
  });
