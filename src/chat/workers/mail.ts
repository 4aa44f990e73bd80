/** Sends mail, and wakes what waits for another attempt. */
import { deliverMail } from '../commands/mail/deliver-mail';
import { sweepMails } from '../commands/mail/sweep-mails';
import { sendMail } from '../jobs';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';

/** Connections to the mail server that one worker has at a time. */
const CONCURRENCY = 4;

export const chatMail = (chat: Chat) =>
  consume(sendMail, {
    concurrency: CONCURRENCY,
    run: (_kernel, { mailId }) => deliverMail(chat, mailId),
  });

const sweep = defineJob<null>('chat-mail-sweep', { attempts: 1, backoffMs: 1000 });

export const chatMailSweep = (chat: Chat) =>
  consume(sweep, {
    concurrency: 1,
    schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
    run: () => sweepMails(chat),
  });
