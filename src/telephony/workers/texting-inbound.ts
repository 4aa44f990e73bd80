/** Reads the calls of carriers, one account at a time, so that no account delays another. */
import { consume } from '../../kernel/jobs/consume';
import { nudgeIfDue, readCallsOf } from '../commands/read-carrier-calls';
import { readCarrierCalls } from '../jobs';

export const textingInbound = consume(readCarrierCalls, {
  concurrency: 8,
  run: (kernel, { accountId }, { signal }) => readCallsOf(kernel, accountId, signal),
  after: (kernel, { accountId }) => nudgeIfDue(kernel, accountId),
});
