/** Reads the calls of carriers, one account at a time, so that no account delays another. */
import { consume } from '../../kernel/jobs/consume';
import { nudgeIfDue, readCallsOf } from '../commands/read-carrier-calls';
import { readCarrierCalls } from '../jobs';
import type { Telephony } from '../parts';

export const textingInbound = (telephony: Telephony) =>
  consume(readCarrierCalls, {
    concurrency: 8,
    run: (kernel, { accountId }, { signal }) => readCallsOf(kernel, accountId, signal),
    after: (_kernel, reading) => nudgeIfDue(telephony, reading),
  });
