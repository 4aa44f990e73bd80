/** Sends mail, as patiently as the configuration says. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { mails } from '../actors/mailboxes';
import { deliverMail } from '../commands/mail/deliver-mail';
import type { Chat } from '../parts';

const LONGEST_PAUSE_MS = 3_600_000;
/** Writing a letter takes no longer than that. */
const WRITING_MS = 10_000;

export function chatMail(chat: Chat) {
  const { mailCallMs, mailRetryMs, mailGiveUpMs } = chat.mail.settings;
  const mailbox = {
    ...mails,
    giveUpMs: mailGiveUpMs,
    pauseMs: (attempts: number) => Math.min(mailRetryMs * 2 ** attempts, LONGEST_PAUSE_MS),
    attemptMs: WRITING_MS + mailCallMs,
  };
  return mailboxWorker(mailbox, { handle: each((turn, { body }) => deliverMail(chat, turn, body)) });
}
