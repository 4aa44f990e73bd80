/** Chat's workers, by the names that operators use: what is done with the mail of each mailbox, and scheduled jobs. */
import { endingWith } from '../kernel/ending';
import { consume, wokenBySweeps, type Consumer, type Workers } from '../kernel/jobs/consume';
import { defineJob } from '../kernel/jobs/job';
import type { Kernel, Storage } from '../kernel/kernel';
import { done, endingOf, type Ending } from '../kernel/mailbox/ending';
import type { Wake } from '../kernel/mailbox/mailbox';
import { each, type MailTurn } from '../kernel/mailbox/work';
import { mailboxWorker } from '../kernel/mailbox/worker';
import type { Keyspace } from '../kernel/redis/connections';
import * as boxes from './actors/mailboxes';
import { callOutgoingBot } from './commands/bots/call-outgoing-bot';
import { emptyInbox, findUnnotified, notifyOfAllDeadLetters } from './commands/bots/empty-inbox';
import { deliverMail } from './commands/mail/deliver-mail';
import { requestDigests } from './commands/mail/request-digests';
import { forgetOldMessages } from './commands/messages/forget-old-messages';
import { fillMissed, findMissed } from './commands/missed/fill-missed';
import { mailMissedMessages } from './commands/missed/mail-missed';
import { noteCalled } from './commands/missed/note-called';
import { previewLinks } from './commands/messages/preview-links';
import { failExport, notifyOfFailure, sweepExports } from './commands/organisation/exports';
import { writeExport } from './commands/organisation/write-export';
import { fillSearchIndex, findWork } from './commands/reading/fill-search-index';
import { deliverPushes } from './commands/push/deliver-pushes';
import { settleReads } from './commands/reading/settle-reads';
import { giveUpScheduled, handleScheduled } from './commands/scheduled/send-scheduled';
import { followTime } from './commands/users/follow-time';
import { endStatus } from './commands/users/set-status';
import { welcomeNewcomer } from './commands/users/welcome-newcomer';
import { makeThumbnail } from './commands/uploads/make-pictures';
import type { ExportOrder } from './model/organisation/export';
import type { Chat, Sending } from './parts';

type Parts = Sending & Keyspace & Pick<Chat, 'mail' | 'outbound' | 'pictures' | 'push' | 'readFrom' | 'sessionDays'>;

export const chatWorkers = (chat: Parts): Workers => ({
  'chat-digests': digests(chat),
  'chat-exports': mailboxWorker(boxes.realmExports, {
    handle: each((turn, { body }) => tryToExport(chat, turn, body)),
    onDead: (tx, { body }) => failExport(tx, chat, body),
  }),
  'chat-full-members': fullMembers(chat),
  'chat-mail': mail(chat),
  'chat-missed-messages': missedMessages(chat),
  'chat-outgoing': mailboxWorker(boxes.outgoingCalls, {
    handle: each((turn, call) => callOutgoingBot(chat, turn, call)),
  }),
  'chat-previews': mailboxWorker(boxes.previews, {
    handle: each((turn, { body }) => previewLinks(chat, turn, body)),
  }),
  'chat-push': mailboxWorker(boxes.pushMail, { handle: (turn, mails) => deliverPushes(chat, turn, mails) }),
  'chat-read-marks': mailboxWorker(boxes.readMarks, {
    handle: each((_turn, { body }) => Promise.resolve(settleReads(body))),
  }),
  'chat-retention': chatRetention(chat),
  'chat-scheduled': mailboxWorker(boxes.scheduledMail, {
    handle: each((turn, { body }) => handleScheduled(chat, turn, body)),
    onDead: (tx, { body }) => giveUpScheduled(tx, body),
  }),
  'chat-search': searchIndex,
  'chat-status-ends': mailboxWorker(boxes.statusEnds, {
    handle: each((_turn, { body }) => Promise.resolve(endStatus(chat.clock, body))),
  }),
  'chat-thumbnails': mailboxWorker(boxes.pictures, { handle: each((_turn, { body }) => makeThumbnail(chat, body)) }),
  'chat-welcomes': mailboxWorker(boxes.welcomes, { handle: each((_turn, { body }) => welcomeNewcomer(chat, body)) }),
  'chat-webhooks': mailboxWorker(boxes.botInboxes, {
    handle: emptyInbox(chat),
    alsoSweeps: {
      name: 'chat-dead-letters',
      find: (db) => [findUnnotified(db)],
      found: (bots) => notifyOfAllDeadLetters(chat, bots),
    },
  }),
});

/** Twice within the two seconds in which a message must become searchable. */
const FILL_SEARCH_MS = 1000;

const searchIndex: Consumer<null> = wokenBySweeps('chat-search', {
  everyMs: FILL_SEARCH_MS,
  find: findWork,
  run: (kernel, _payload, { signal }) => fillSearchIndex(kernel, signal),
});

async function tryToExport(
  chat: Sending & Pick<Kernel, 'readFrom'>,
  { signal, draining }: MailTurn,
  order: ExportOrder,
): Promise<Ending> {
  try {
    await endingWith([signal, draining], (ending) => writeExport(chat, order, ending.signal));
    return done();
  } catch (error) {
    if (draining.aborted) throw error;
    chat.log.warn({ err: error, export: order.exportId }, 'could not write an export');
    return { ...endingOf(error), after: () => notifyOfFailure(chat, order) };
  }
}

/** Upper bound for the pause before mail is sent again. */
const MAX_MAIL_PAUSE_MS = 3_600_000;
/** Upper bound for composing one mail. */
const WRITING_MS = 10_000;

/** With the configured retries. */
function mail(chat: Storage & Keyspace & Pick<Chat, 'mail' | 'pause' | 'realms'>): Consumer<Wake> {
  const { mailCallMs, mailRetryMs, mailGiveUpMs } = chat.mail.settings;
  const mailbox = {
    ...boxes.mails,
    giveUpMs: mailGiveUpMs,
    pauseMs: (attempts: number) => Math.min(mailRetryMs * 2 ** attempts, MAX_MAIL_PAUSE_MS),
    attemptMs: WRITING_MS + mailCallMs,
  };
  return mailboxWorker(mailbox, { handle: each((turn, { body }) => deliverMail(chat, turn, body)) });
}

/** Sweeps per MISSED_MAIL_MS, so that a mail is hardly later than that. */
const SWEEPS_MEANWHILE = 10;
const MAX_SWEEP_MS = 15_000;
const MIN_SWEEP_MS = 500;
/** A push should be there as soon as somebody would look. */
const PUSH_SWEEP_MS = 1000;

/** Each sweep finds organisations with new messages and users whose mail is due. */
function missedMessages(chat: Parts): Consumer<Wake> {
  const share = chat.mail.settings.missedMailMs / SWEEPS_MEANWHILE;
  const longest = chat.push.isOn ? PUSH_SWEEP_MS : MAX_SWEEP_MS;
  const sweepMs = Math.round(Math.max(MIN_SWEEP_MS, Math.min(longest, share)));
  return mailboxWorker(
    { ...boxes.missedMessages, sweepMs },
    {
      handle: each((_turn, { body }) => ('calledBy' in body ? noteCalled(chat, body) : mailMissedMessages(chat, body))),
      toFill: (db) => findMissed(chat, db),
      fill: (id) => fillMissed(chat, id),
    },
  );
}

const HOUR_MS = 3_600_000;

/** Requests the weekly mails. A day's first run finds everybody; the others, whoever a killed one left. */
const digests = (chat: Storage & Keyspace & Pick<Chat, 'mail'>): Consumer<null> =>
  consume(defineJob<null>('chat-digests'), {
    concurrency: 1,
    schedule: () => ({ everyMs: HOUR_MS, payload: null }),
    run: (_kernel, _payload, { signal }) => requestDigests(chat, signal),
  });

/** Newcomers become full members as time goes by. */
const fullMembers = (chat: Storage): Consumer<null> =>
  consume(defineJob<null>('chat-full-members'), {
    concurrency: 1,
    schedule: () => ({ everyMs: HOUR_MS, payload: null }),
    run: (_kernel, _payload, { signal }) => followTime(chat, signal),
  });

/** Deletes expired exports, and messages beyond their retention. The next run picks up what one leaves. */
export const chatRetention = (chat: Sending): Consumer<null> =>
  consume(defineJob<null>('chat-retention'), {
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
