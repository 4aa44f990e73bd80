/** Posts events to companies' webhooks. Any number of workers may run it; one at a time handles a given webhook. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { companyWebhooks } from '../actors/mailboxes';
import { findBehind, forgetOldest, postEvent, takeEvents } from '../commands/portal/post-events';
import type { Telephony } from '../parts';

export const portalWebhooks = (telephony: Telephony) =>
  mailboxWorker(companyWebhooks, {
    handle: each((turn, mail) => postEvent(telephony, turn, mail)),
    fill: (webhookId) => takeEvents(telephony, webhookId),
    toFill: () => findBehind(telephony),
    onDead: (tx, { at }) => forgetOldest(tx, at, 'failed'),
  });
