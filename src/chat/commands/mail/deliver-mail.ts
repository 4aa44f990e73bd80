/** Sends one mail. It is composed at the moment of sending, unless it should no longer be sent. */
import type { Storage } from '../../../kernel/kernel';
import { type Letter, MailRefused } from '../../../kernel/mail/letter';
import { dead, done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Keyspace } from '../../../kernel/redis/connections';
import type { Composed, Surroundings } from '../../model/mail/composed';
import type { Mail } from '../../model/mail/mail';
import type { Chat } from '../../parts';
import * as invitations from '../../store/accounts/invitations';
import * as resets from '../../store/accounts/password-resets';
import * as realms from '../../store/organisation/realms';
import { composeEmailChange, composeEmailChanged, composeInvitation, composePasswordReset } from './account-mail';
import { composeDigest } from './digest-mail';
import { composeMissedMessages } from './missed-mail';

type Parts = Storage & Keyspace & Pick<Chat, 'mail' | 'pause' | 'realms'>;

/** A failed mail is retried, unless the mail server rejects it permanently. */
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

/** Suppresses automatic replies. */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

async function composeMail(chat: Parts, mail: Mail): Promise<{ letter: Letter } | { dropped: string }> {
  const realm = await realms.byId(chat.mysql, mail.realmId);
  if (realm?.isActive !== true) return { dropped: 'The organisation is deactivated' };
  const url = await chat.realms.publicUrl(realm.id);
  const composed = await compose(chat, mail, { realm, organisation: { name: realm.name, url } });
  if ('dropped' in composed) return composed;
  const { to = mail.recipient, headers, ...words } = composed.letter;
  const messageId = `<${mail.createdAt.getTime().toString(36)}.${mail.id}@${new URL(url).hostname}>`;
  return { letter: { ...words, to, messageId, headers: { ...HEADERS, ...headers } } };
}

function compose(chat: Parts, mail: Mail, around: Surroundings): Promise<Composed> {
  const { about } = mail;
  switch (about.kind) {
    case 'invitation':
      return composeInvitation(chat, mail, about, around);
    case 'password-reset':
      return composePasswordReset(chat, mail, around);
    case 'email-change':
      return composeEmailChange(chat, mail, about, around);
    case 'email-changed':
      return composeEmailChanged(chat, about, around);
    case 'digest':
      return composeDigest(chat, about, around);
    case 'missed-messages':
      return composeMissedMessages(chat, about, around);
  }
}
