/** Sends mail, with the configured retries. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { mails } from '../actors/mailboxes';
import { deliverMail } from '../commands/mail/deliver-mail';
import type { Chat } from '../parts';

const MAX_PAUSE_MS = 3_600_000;
/** Upper bound for composing one mail. */
const WRITING_MS = 10_000;

export function chatMail(chat: Chat) {
  const { mailCallMs, mailRetryMs, mailGiveUpMs } = chat.mail.settings;
  const mailbox = {
    ...mails,
    giveUpMs: mailGiveUpMs,
    pauseMs: (attempts: number) => Math.min(mailRetryMs * 2 ** attempts, MAX_PAUSE_MS),
    attemptMs: WRITING_MS + mailCallMs,
  };
  return mailboxWorker(mailbox, { handle: each((turn, { body }) => deliverMail(chat, turn, body)) });
}
