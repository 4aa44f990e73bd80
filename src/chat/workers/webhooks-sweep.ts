/** Wakes the inboxes whose deliveries no worker looks at, because Redis was away or a worker died. */
import { sweepInboxes } from '../commands/bots/sweep-inboxes';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';

const sweep = defineJob<null>('chat-webhooks-sweep', { attempts: 1, backoffMs: 1000 });

export const chatWebhooksSweep = (chat: Chat) =>
  consume(sweep, {
    concurrency: 1,
    schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
    run: () => sweepInboxes(chat),
  });
