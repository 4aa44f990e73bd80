/** The mailbox of devices that are pushed to, one of each product. */
import { kernelMailTable } from '../mailbox/kernel-mail';
import { defineMailbox } from '../mailbox/mailbox';
import type { DeviceMail } from './take-up-pushes';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const deviceMailbox = <News extends object>(name: string) =>
  defineMailbox<News | DeviceMail>(name, {
    table: kernelMailTable<News | DeviceMail>(name),
    // A turn mostly waits for a push service.
    concurrency: 16,
    attempts: 20,
    giveUpMs: HOUR_MS,
    pauseMs: (attempts) => Math.min(5000 * 2 ** attempts, 300_000),
    // As many conversations as one turn pushes, each within the deadline of a push.
    attemptMs: 120_000,
    isRepeatable: true,
    order: 'loose',
    // What has gathered becomes one notification for each conversation.
    batch: 100,
    maxInATurn: 100,
    keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
  });
