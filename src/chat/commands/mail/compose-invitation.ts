/** Composes the mail of an invitation. */
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { About, Mail } from '../../model/mail/mail';
import { confirmationText, hasAccountText, invitationText } from '../../model/mail/mail-texts';
import { isBot } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as invitations from '../../store/accounts/invitations';
import * as people from '../../store/users/people';
import * as users from '../../store/users/users';
import type { Composed, Surroundings } from './composed';

type AboutInvitation = Extract<About, { kind: 'invitation' }>;

export async function composeInvitation(
  { kernel }: Chat,
  mail: Mail,
  { invitationId, isRequested }: AboutInvitation,
  { organisation }: Surroundings,
): Promise<Composed> {
  const [account] = await people.withEmailKeys(kernel.mysql, mail.realmId, [mail.recipient]);
  if (account) {
    await invitations.remove(kernel.mysql, invitationId);
    // Only the account's own mailbox learns that the account exists.
    const isOwn = isSameEmail(account.email, mail.recipient);
    if (isRequested && isOwn && account.isActive && !isBot(account))
      return { letter: { ...hasAccountText(organisation), to: account.email } };
    return { dropped: 'The address has an account' };
  }
  const invitation = await invitations.byId(kernel.mysql, invitationId);
  const inviter = invitation && (await users.byId(kernel.mysql, mail.realmId, invitation.inviterId));
  if (!invitation || !inviter) return { dropped: 'The invitation was accepted or revoked, or has expired' };
  const link = `${organisation.url}/join/${kernel.secrets.token('invitation', invitation.nonce)}`;
  const facts = { organisation, inviter, link, expiresAt: invitation.expiresAt };
  return { letter: isRequested ? confirmationText(facts) : invitationText(facts) };
}
