/** Mails an invitation to the user of a reusable link. Only the owner of the address can create an account with it. */
import type { Storage } from '../../../kernel/kernel';
import { isPlainlySpelled } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { invalidLink } from '../../model/accounts/invitation';
import { disguisedEmail, notAnEmail } from '../../model/faults';
import { newToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import { isEmail } from '../../model/users/user';
import type { Chat } from '../../parts';
import { findInvitation } from '../../queries/accounts/invitations';
import { checkAddress } from '../../queries/organisation/realm-lists';
import * as invitations from '../../store/accounts/invitations';
import { postMail } from '../mail/post-mail';
import { publishInvitations } from './change-invitations';
import { ensureMailIsOn, ensureWithinLimit } from './check-invitation';

/** Behaves the same for every address: only the mail reveals whether an account exists. */
export async function requestToJoin(
  chat: Storage & Pick<Chat, 'mail'>,
  realmId: RealmId,
  { token, email }: { readonly token: string; readonly email: string },
): Promise<void> {
  ensureMailIsOn(chat.mail);
  ensure(isPlainlySpelled(email), disguisedEmail());
  ensure(isEmail(email), notAnEmail());
  const link = await findInvitation(chat, realmId, token);
  ensure(link.email === null, invalidLink());
  await checkAddress(chat.mysql, realmId, email);
  const { mail } = chat;
  await chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat.mail, realmId, 1);
    const { inviterId, role, streamIds } = link;
    const invitationId = await invitations.insert(tx.db, {
      realmId,
      inviterId,
      email,
      role,
      streamIds,
      token: newToken(chat.secrets, 'invitation'),
      days: mail.settings.invitationDays,
    });
    await postMail(tx, { realmId, recipient: email, about: { kind: 'invitation', invitationId, isRequested: true } });
    await publishInvitations(tx, realmId);
  });
}
