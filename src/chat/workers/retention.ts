/** Deletes expired exports, and messages beyond their retention. The next run picks up what one leaves. */
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';
import { forgetOldMessages } from '../commands/messages/forget-old-messages';
import { sweepExports } from '../commands/organisation/sweep-exports';
import type { Chat } from '../parts';

const forget = defineJob<null>('chat-retention', { attempts: 1, backoffMs: 1000 });

export const chatRetention = (chat: Chat) =>
  consume(forget, {
    concurrency: 1,
    schedule: ({ housekeepingMs }) => ({ everyMs: housekeepingMs, payload: null }),
    async run(kernel, _payload, { signal }) {
      try {
        await sweepExports(chat);
      } finally {
        await forgetOldMessages(kernel, signal);
      }
    },
  });
