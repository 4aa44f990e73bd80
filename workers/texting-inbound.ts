/** Reads what carriers told us, one account at a time, so that no account delays another. */
import { consume } from '../src/kernel/jobs/consume';
import { nudgeIfDue, readCallsOf } from '../src/telephony/commands/read-carrier-calls';
import { readCarrierCalls } from '../src/telephony/jobs';

export const textingInbound = consume(readCarrierCalls, {
  concurrency: 8,
  run: (kernel, { accountId }, { signal }) => readCallsOf(kernel, accountId, signal),
  after: (kernel, { accountId }) => nudgeIfDue(kernel, accountId),
});
