/** Chat's mailboxes, each with the settings that are specific to it. */
import { mailboxAdmin } from '../../kernel/mailbox/mailbox-admin';
import { defineMailbox } from '../../kernel/mailbox/mailbox';
import { kernelMailAdmin, kernelMailTable } from '../../kernel/mailbox/kernel-mail';
import { deviceMailbox } from '../../kernel/push/device-mailbox';
import type { CalledAll, MissedBy } from '../model/missed/missed-messages';
import type { ExportOrder } from '../model/organisation/export';
import type { EndingStatus, Newcomer } from '../model/users/newcomer';
import { realmTenant, type RealmId } from '../model/organisation/realm';
import type { PushNews } from '../model/push/push-payload';
import { READ_MARKS, type ReadMark } from '../model/reading/read-marks';
import type { ScheduledMail } from '../model/scheduled/scheduled-message';
import type { UserId } from '../model/users/user';
import { deliveryTable } from '../store/bots/deliveries';
import { callAdmin } from '../store/bots/bot-mail-admin';
import { callTable } from '../store/bots/outgoing-calls';
import { mailAdmin, mailTable } from '../store/mail/mails';
import { PREVIEWS, previewTable, type LinkedMessage } from '../store/messages/message-side-rows';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long operators can inspect finished mail and retry failed mail. */
const KEEP = { done: 7 * DAY_MS, dropped: 7 * DAY_MS, failed: 30 * DAY_MS } as const;

/** What mailboxes have in common whose mail is rare and independent. Only what failed is kept. */
const RARE = {
  concurrency: 4,
  attempts: 10,
  pauseMs: (attempts: number) => 5000 * 2 ** attempts,
  attemptMs: 30_000,
  isRepeatable: true,
  order: 'loose',
  maxInATurn: 5,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
} as const;

/** Deliveries from external services to bots, in order per bot. A delivery handled twice becomes one message. */
export const botInboxes = defineMailbox('chat-webhooks', {
  table: deliveryTable,
  // Organisations take turns in the queue, and no turn waits for an external service.
  concurrency: 8,
  tenantShare: 1,
  attempts: 5,
  pauseMs: (attempts) => 1000 * 2 ** attempts,
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  // Messages are inserted in batches.
  batch: 100,
  maxInATurn: 100,
  isBursty: true,
  keep: KEEP,
});

/** Mail to users, each independent. A sent mail cannot be recalled. The worker adds the configured settings. */
export const mails = defineMailbox('chat-mail', {
  table: mailTable,
  // Connections to the mail server per worker. One organisation gets at most half of them.
  concurrency: 8,
  // Mail is given up by age, not by attempts.
  attempts: Infinity,
  giveUpMs: 4 * HOUR_MS,
  pauseMs: () => 30_000,
  attemptMs: 30_000,
  isRepeatable: false,
  order: 'loose',
  maxInATurn: 1,
  keep: KEEP,
});

/** Messages to post to outgoing webhook bots. A call that waits for its retry does not delay later ones. */
export const outgoingCalls = defineMailbox('chat-outgoing', {
  table: callTable,
  // A turn mostly waits for the bot's endpoint.
  concurrency: 32,
  // Zulip's number of attempts, within half a minute.
  attempts: 4,
  pauseMs: (attempts) => 1000 * 5 ** attempts,
  attemptMs: 20_000,
  isRepeatable: true,
  order: 'loose',
  maxInATurn: 10,
  keep: KEEP,
});

export interface Picture {
  readonly realmId: RealmId;
  readonly uploadId: number;
}

/** Uploaded pictures that need thumbnails. Until then, or if that fails, the original is shown. */
export const pictures = defineMailbox('chat-thumbnails', {
  table: kernelMailTable<Picture>('chat-thumbnails'),
  // A separate limit bounds concurrent decoding, where organisations take turns.
  concurrency: 4,
  attempts: 10,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  // Includes the wait for a decoding slot.
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'loose',
  maxInATurn: 1,
  keep: KEEP,
});

/** Messages whose linked pages need previews. After an hour of failures, the preview is given up. */
export const previews = defineMailbox(PREVIEWS, {
  table: previewTable,
  concurrency: 16,
  attempts: 10,
  giveUpMs: HOUR_MS,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  maxInATurn: 5,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
});

/** One address per message, so that previews of a message run one after the other. */
export const previewsOf = ({ realmId, messageId }: LinkedMessage) =>
  previews.at(realmTenant(realmId), `${realmId}-${messageId}`);

/** Read marks whose messages are to be published to the reader's clients. Marks are independent of each other. */
export const readMarks = defineMailbox(READ_MARKS, {
  table: kernelMailTable<ReadMark>(READ_MARKS),
  concurrency: 16,
  attempts: 10,
  pauseMs: (attempts) => 1000 * 2 ** attempts,
  attemptMs: 30_000,
  isRepeatable: true,
  order: 'loose',
  maxInATurn: 20,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
});

/** Marks are settled one after the other for each reader. */
export const readMarksOf = (realmId: RealmId, userId: UserId) => readMarks.at(realmTenant(realmId), String(userId));

/**
 * Messages that a user missed while away, to be mailed. The worker finds them, also for pushes, and collects for the
 * configured time what it mails.
 */
export const missedMessages = defineMailbox('chat-missed-messages', {
  table: kernelMailTable<CalledAll | MissedBy>('chat-missed-messages'),
  ...RARE,
});

/** New accounts, whom the notification bot welcomes once. */
export const welcomes = defineMailbox('chat-welcomes', {
  table: kernelMailTable<Newcomer>('chat-welcomes'),
  ...RARE,
});

/** Statuses that their owners gave an end: due then, and done by nobody else. */
export const statusEnds = defineMailbox('chat-status-ends', {
  table: kernelMailTable<EndingStatus>('chat-status-ends'),
  ...RARE,
});

/** Scheduled messages and reminders, each due at its time, and notices of those that could not be sent. */
export const scheduledMail = defineMailbox('chat-scheduled', {
  table: kernelMailTable<ScheduledMail>('chat-scheduled'),
  ...RARE,
  // Many are due at the full hour.
  concurrency: 8,
});

/** What devices are to be pushed, by device. The worker adds how often it looks for new messages. */
export const pushMail = deviceMailbox<PushNews>('chat-push');

/** Organisation exports that administrators requested. A new attempt removes everything that the previous one left. */
export const realmExports = defineMailbox('chat-exports', {
  table: kernelMailTable<ExportOrder>('chat-exports'),
  // One export per organisation at a time, and two organisations in parallel.
  concurrency: 2,
  attempts: 3,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  attemptMs: 6 * HOUR_MS,
  isRepeatable: true,
  order: 'loose',
  maxInATurn: 1,
  keep: KEEP,
});

export const admins = [
  mailboxAdmin(outgoingCalls, callAdmin),
  mailboxAdmin(mails, mailAdmin),
  kernelMailAdmin(previews, 'messages whose linked pages are to be shown'),
  kernelMailAdmin(realmExports, 'archives of organisations that are to be written'),
  kernelMailAdmin(missedMessages, 'messages that somebody missed and that are to be mailed'),
  kernelMailAdmin(readMarks, 'read marks that clients have yet to see'),
  kernelMailAdmin(welcomes, 'new people whom the notification bot is to welcome'),
  kernelMailAdmin(statusEnds, 'statuses that end at a time'),
  kernelMailAdmin(scheduledMail, 'scheduled messages and reminders that are sent at a time'),
  kernelMailAdmin(pushMail, 'push notifications for devices'),
  kernelMailAdmin(pictures, 'uploaded pictures of which thumbnails are made'),
];
