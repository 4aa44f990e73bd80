/** Sends one mail. A failed mail is retried, unless the mail server rejects it permanently. */
import type { Storage } from '../../../kernel/kernel';
import { MailRefused } from '../../../kernel/mail/letter';
import { dead, done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Mail } from '../../model/mail/mail';
import type { Chat } from '../../parts';
import * as invitations from '../../store/accounts/invitations';
import * as resets from '../../store/accounts/password-resets';
import { composeMail } from './compose-mail';

type Parts = Storage & Pick<Chat, 'mail' | 'pause' | 'realms'>;

export async function deliverMail(chat: Parts, { signal }: MailTurn, mail: Mail): Promise<Ending> {
  const { mysql, pause } = chat;
  const { mailer } = chat.mail;
  // Cleans up links of earlier mail that have expired.
  await Promise.all([invitations.forgetExpired(mysql), resets.forgetExpired(mysql)]);
  const composed = await composeMail(chat, mail);
  if ('dropped' in composed) return dropped(composed.dropped);
  const { letter } = composed;
  await pause('mid-call');
  // Too late to begin: the mail server might still be busy with it when another worker sends it too.
  signal.throwIfAborted();
  try {
    await mailer.send(letter);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return dead(error.message);
  }
  return done(mailer.mode === 'shown' ? { set: { shown: `${letter.subject}\n\n${letter.text}` } } : {});
}
