/** Nudges inboxes whose deliveries nobody was told of: Redis was away, or a worker died. */
import { sweepInboxes } from '../src/chat/commands/sweep-inboxes';
import { consume } from '../src/kernel/jobs/consume';
import { defineJob } from '../src/kernel/jobs/job';

const sweep = defineJob<null>('chat-webhooks-sweep', { attempts: 1, backoffMs: 1000 });

export const chatWebhooksSweep = consume(sweep, {
  concurrency: 1,
  schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
  run: (kernel) => sweepInboxes(kernel),
});
