/** Chat's mailboxes: what is different about each kind of work that waits in rows. */
import { mailboxDesk } from '../../kernel/mailbox/desk';
import { defineMailbox } from '../../kernel/mailbox/mailbox';
import { ownDesk, ownTable } from '../../kernel/mailbox/own-mail';
import type { MissedBy } from '../model/mail/missed-messages';
import type { ExportOrder } from '../model/organisation/export';
import type { RealmId } from '../model/organisation/realm';
import { READ_MARKS, type ReadMark } from '../model/reading/read-marks';
import { deliveryTable } from '../store/bots/deliveries';
import { callDesk, callTable } from '../store/bots/outgoing-calls';
import { adoptExports, adoptPictures, adoptPreviews, adoptReadMarks } from '../store/former-work';
import { mailDesk, mailTable } from '../store/mail/mails';
import { PREVIEWS, previewTable } from '../store/messages/linked-messages';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Until then operators can look at what is over, and try again what has failed. */
const KEEP = { done: 7 * DAY_MS, dropped: 7 * DAY_MS, failed: 30 * DAY_MS } as const;

/** What external services deliver to bots, bot by bot in the order it came. One that is handled twice is one message. */
export const botInboxes = defineMailbox('chat-webhooks', {
  table: deliveryTable,
  // Organisations take turns in the queue, and no turn waits for the outside.
  concurrency: 8,
  tenantShare: 1,
  attempts: 5,
  pauseMs: (attempts) => 1000 * 2 ** attempts,
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  // Messages are written in packets.
  batch: 100,
  mostInATurn: 100,
  keep: KEEP,
  isShared: true,
});

/** Mail to users, each by itself. A mail cannot be called back. What the configuration says is added by its worker. */
export const mails = defineMailbox('chat-mail', {
  table: mailTable,
  // Connections to the mail server that one worker has at a time; an organisation has half of them.
  concurrency: 8,
  // It is given up by its age.
  attempts: Infinity,
  giveUpMs: 4 * HOUR_MS,
  pauseMs: () => 30_000,
  attemptMs: 30_000,
  isRepeatable: false,
  order: 'loose',
  mostInATurn: 1,
  keep: KEEP,
  isShared: true,
});

/** Messages that the program of an outgoing webhook bot is told of. One that waits does not delay those after it. */
export const outgoingCalls = defineMailbox('chat-outgoing', {
  table: callTable,
  // A turn mostly waits for the program of its bot.
  concurrency: 32,
  // As often as the real server tries, within half a minute.
  attempts: 4,
  pauseMs: (attempts) => 1000 * 5 ** attempts,
  attemptMs: 20_000,
  isRepeatable: true,
  order: 'loose',
  mostInATurn: 10,
  keep: KEEP,
  isShared: true,
});

export interface Picture {
  readonly realmId: RealmId;
  readonly uploadId: number;
}

/** Uploaded pictures of which thumbnails are to be made. Until then, and where it fails, they are shown as they are. */
export const pictures = defineMailbox('chat-thumbnails', {
  table: ownTable<Picture>('chat-thumbnails'),
  // How many are decoded at once is limited elsewhere; organisations take turns there.
  concurrency: 4,
  attempts: 10,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  // It may have to wait for its turn.
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'loose',
  mostInATurn: 1,
  keep: KEEP,
  adopt: adoptPictures,
});

/** Messages whose linked pages are to be shown. Pages that could not be shown for an hour are not shown. */
export const previews = defineMailbox(PREVIEWS, {
  table: previewTable,
  concurrency: 16,
  attempts: 10,
  giveUpMs: HOUR_MS,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  mostInATurn: 5,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
  adopt: adoptPreviews,
});

/**
 * What was marked as read, to be told to the reader's clients message by message. Nothing that a mark does depends on the
 * one before it.
 */
export const readMarks = defineMailbox(READ_MARKS, {
  table: ownTable<ReadMark>(READ_MARKS),
  concurrency: 16,
  attempts: 10,
  pauseMs: (attempts) => 1000 * 2 ** attempts,
  attemptMs: 30_000,
  isRepeatable: true,
  order: 'loose',
  mostInATurn: 20,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
  adopt: adoptReadMarks,
});

/**
 * What somebody missed while they were away, to be mailed. Its worker gathers it, as patiently as the configuration
 * says.
 */
export const missedMessages = defineMailbox('chat-missed-messages', {
  table: ownTable<MissedBy>('chat-missed-messages'),
  concurrency: 4,
  attempts: 10,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  attemptMs: 30_000,
  isRepeatable: true,
  order: 'loose',
  mostInATurn: 5,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
  isShared: true,
});

/** Archives that administrators asked for. One that is begun anew leaves nothing of the attempt before. */
export const realmExports = defineMailbox('chat-exports', {
  table: ownTable<ExportOrder>('chat-exports'),
  // One of an organisation at a time, beside one of another.
  concurrency: 2,
  attempts: 3,
  pauseMs: (attempts) => 5000 * 2 ** attempts,
  attemptMs: 6 * HOUR_MS,
  isRepeatable: true,
  order: 'loose',
  mostInATurn: 1,
  keep: KEEP,
  isShared: true,
  adopt: adoptExports,
});

export const desks = [
  mailboxDesk(outgoingCalls, callDesk),
  mailboxDesk(mails, mailDesk),
  ownDesk(previews, 'messages whose linked pages are to be shown'),
  ownDesk(realmExports, 'archives of organisations that are to be written'),
  ownDesk(missedMessages, 'messages that somebody missed and that are to be mailed'),
  ownDesk(readMarks, 'marks whose messages are told to be read'),
  ownDesk(pictures, 'uploaded pictures of which thumbnails are made'),
];
