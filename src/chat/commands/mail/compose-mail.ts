/** Composes a mail at the moment of sending, or says why it should no longer be sent. */
import type { Letter } from '../../../kernel/mail/letter';
import type { Mail } from '../../model/mail/mail';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import { composeInvitation } from './compose-invitation';
import { composeMissedMessages } from './compose-missed-messages';
import { composePasswordReset } from './compose-password-reset';
import type { Composed, Surroundings } from './composed';

/** Suppresses automatic replies. */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

export async function composeMail(
  chat: Chat,
  mail: Mail,
): Promise<{ readonly letter: Letter } | { readonly dropped: string }> {
  const realm = await realms.byId(chat.kernel.mysql, mail.realmId);
  if (realm?.isActive !== true) return { dropped: 'The organisation is deactivated' };
  const url = await chat.realms.publicUrl(realm.id);
  const composed = await compose(chat, mail, { realm, organisation: { name: realm.name, url } });
  if ('dropped' in composed) return composed;
  const { to = mail.recipient, subject, text, headers } = composed.letter;
  const messageId = `<${mail.createdAt.getTime().toString(36)}.${mail.id}@${new URL(url).hostname}>`;
  return { letter: { to, subject, text, messageId, headers: { ...HEADERS, ...headers } } };
}

function compose(chat: Chat, mail: Mail, around: Surroundings): Promise<Composed> {
  const { about } = mail;
  switch (about.kind) {
    case 'invitation':
      return composeInvitation(chat, mail, about, around);
    case 'password-reset':
      return composePasswordReset(chat, mail, around);
    case 'missed-messages':
      return composeMissedMessages(chat, about, around);
  }
}
