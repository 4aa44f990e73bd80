/** Deletes what organisations no longer keep. Whatever one run leaves, the next one finds. */
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';
import { forgetOldMessages } from '../commands/forget-old-messages';

const forget = defineJob<null>('chat-retention', { attempts: 1, backoffMs: 1000 });

export const chatRetention = consume(forget, {
  concurrency: 1,
  schedule: ({ housekeepingMs }) => ({ everyMs: housekeepingMs, payload: null }),
  run: (kernel, _payload, { signal }) => forgetOldMessages(kernel, signal),
});
