/** Posts events to addresses of companies. Any number of workers may run it: one at a time acts for an address. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { wakeLetters } from '../commands/portal/mail-entry-links';
import { postEventsOf, wakeWebhooks } from '../commands/portal/post-events';
import { postEvents, sweepWebhooks, type WebhookOrder } from '../jobs';
import type { Telephony } from '../parts';

const CONCURRENCY = 8;
/** So late an event may be. */
const EVERY_MS = 2000;

export const portalWebhooks = (telephony: Telephony): Consumer<WebhookOrder, void> =>
  consume(postEvents, {
    concurrency: CONCURRENCY,
    run: (_kernel, { webhookId }, { signal }) => postEventsOf(telephony, webhookId, signal),
  });

export const portalWebhooksSweep = (telephony: Telephony): Consumer<null, void> =>
  consume(sweepWebhooks, {
    concurrency: 1,
    schedule: () => ({ everyMs: EVERY_MS, payload: null }),
    async run() {
      await wakeLetters(telephony);
      await wakeWebhooks(telephony);
    },
  });
