/** Sends one mail that waits. A mail that cannot be sent is tried again with growing pauses, and is a dead letter in the end. */
import { tenantOf } from '../../../kernel/actor/address';
import { withLease } from '../../../kernel/actor/lease';
import { MailRefused } from '../../../kernel/mail/letter';
import type { Mail, MailId } from '../../model/mail';
import type { Chat } from '../../parts';
import * as mails from '../../store/mails';
import { composeMail } from './compose-mail';

export async function deliverMail(chat: Chat, mailId: MailId): Promise<void> {
  const address = { tenant: tenantOf('chat', 'cluster'), kind: 'mail', id: String(mailId) };
  // A mail cannot be called back: two workers must not send it at the same time.
  await withLease(chat.kernel, address, async () => {
    const mail = await mails.due(chat.kernel.mysql, mailId);
    if (mail) await attempt(chat, mail);
  });
}

async function attempt(chat: Chat, mail: Mail): Promise<void> {
  const { mysql, pause } = chat.kernel;
  const { mailer, count } = chat.mail;
  try {
    const composed = await composeMail(chat, mail);
    if ('dropped' in composed) {
      await mails.finish(mysql, mail.id, { state: 'dropped', error: composed.dropped });
      return count({ kind: mail.about.kind, outcome: 'dropped' });
    }
    await pause('mid-call');
    await mailer.send(composed.letter);
    const { subject, text } = composed.letter;
    const shown = mailer.mode === 'shown' ? `${subject}\n\n${text}` : undefined;
    await mails.finish(mysql, mail.id, { state: 'done', error: null, shown });
    count({ kind: mail.about.kind, outcome: 'sent' });
  } catch (error) {
    await settleFailure(chat, mail, error);
  }
}

async function settleFailure(chat: Chat, mail: Mail, error: unknown): Promise<void> {
  const { mysql, clock, log } = chat.kernel;
  const { settings, count } = chat.mail;
  const reason = reasonOf(error);
  const isRefused = error instanceof MailRefused;
  const isTooOld = clock.now().getTime() - mail.createdAt.getTime() >= settings.mailGiveUpMs;
  const { kind } = mail.about;
  log.warn({ mail: mail.id, kind, reason, attempts: mail.attempts + 1 }, 'a mail could not be sent');
  if (isRefused || isTooOld) await mails.finish(mysql, mail.id, { state: 'failed', error: reason });
  else await mails.postpone(mysql, mail.id, reason, pauseAfter(mail.attempts, settings.mailRetryMs));
  count({ kind, outcome: isRefused ? 'refused' : isTooOld ? 'failed' : 'postponed' });
}

const LONGEST_PAUSE_MS = 3_600_000;
const pauseAfter = (attempts: number, firstMs: number): number => Math.min(firstMs * 2 ** attempts, LONGEST_PAUSE_MS);

const MOST_REASON = 1000;
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, MOST_REASON);
