/** Writes the mails about accounts: invitations, new passwords, changed addresses. */
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { Storage } from '../../../kernel/kernel';
import { sealChange, stampOf } from '../../model/accounts/email-change';
import type { Composed, Surroundings } from '../../model/mail/composed';
import { type About, type Mail, newToken } from '../../model/mail/mail';
import {
  confirmationText,
  emailChangedText,
  emailChangeText,
  hasAccountText,
  invitationText,
  passwordResetText,
} from '../../model/mail/mail-texts';
import { wordsFor } from '../../model/texts/chat-words';
import { isBot } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as invitations from '../../store/accounts/invitations';
import * as resets from '../../store/accounts/password-resets';
import * as people from '../../store/users/people';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';

type Parts = Storage & Pick<Chat, 'mail'>;
type AboutInvitation = Extract<About, { kind: 'invitation' }>;

export async function composeInvitation(
  kernel: Storage,
  mail: Mail,
  { invitationId, isRequested }: AboutInvitation,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const words = wordsFor(realm);
  const [account] = await people.withEmailKeys(kernel.mysql, mail.realmId, [mail.recipient]);
  if (account) {
    await invitations.remove(kernel.mysql, invitationId);
    // Only the account's own mailbox learns that the account exists.
    const isOwn = isSameEmail(account.email, mail.recipient);
    if (isRequested && isOwn && account.isActive && !isBot(account))
      return { letter: { ...hasAccountText(words, organisation), to: account.email } };
    return { dropped: 'The address has an account' };
  }
  const invitation = await invitations.byId(kernel.mysql, invitationId);
  const inviter = invitation && (await users.byId(kernel.mysql, mail.realmId, invitation.inviterId));
  if (!invitation || !inviter) return { dropped: 'The invitation was accepted or revoked, or has expired' };
  const link = `${organisation.url}/join/${kernel.secrets.token('invitation', invitation.nonce)}`;
  const facts = { organisation, inviter, link, expiresAt: invitation.expiresAt };
  return { letter: isRequested ? confirmationText(words, facts) : invitationText(words, facts) };
}

/** The mail with a password reset link. An address without an account gets no mail. */
export async function composePasswordReset(
  { mysql, secrets, transaction, mail: { settings: mailing } }: Parts,
  mail: Mail,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const user = await users.byEmail(mysql, mail.realmId, mail.recipient);
  if (!user || !user.isActive || isBot(user)) return { dropped: 'Nobody has this address' };
  const nonce = await transaction((tx) =>
    resets.ensureFor(tx.db, mail.id, {
      userId: user.id,
      token: newToken(secrets, 'password-reset'),
      validMs: mailing.passwordResetMs,
    }),
  );
  const link = `${organisation.url}/password_reset/${secrets.token('password-reset', nonce)}`;
  const words = wordsFor(realm, await settings.ofUser(mysql, user.id));
  const minutes = Math.ceil(mailing.passwordResetMs / 60_000);
  // Sent to the stored address: a mail server may tell the cases of letters apart.
  return { letter: { ...passwordResetText(words, { organisation, link, minutes }), to: user.email } };
}

type AboutChange = Extract<About, { kind: 'email-change' }>;

const VALID_MS = 24 * 3_600_000;

/** The link that confirms a new address. */
export async function composeEmailChange(
  { mysql, secrets }: Storage,
  { realmId, recipient: to, createdAt }: Mail,
  { userId, from }: AboutChange,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const user = await users.byId(mysql, realmId, userId);
  if (!user?.isActive || !isSameEmail(user.email, from)) return { dropped: 'The account has another address by now' };
  const stamp = stampOf(secrets, await users.credentials(mysql, userId));
  const until = createdAt.getTime() + VALID_MS;
  const token = sealChange(secrets, { userId, from, to, stamp, until });
  const words = wordsFor(realm, await settings.ofUser(mysql, userId));
  const link = `${organisation.url}/confirm_email/${token}`;
  return { letter: emailChangeText(words, { organisation, link, from }) };
}

/** Word to the old address. */
export async function composeEmailChanged(
  { mysql }: Pick<Storage, 'mysql'>,
  { userId }: Extract<About, { kind: 'email-changed' }>,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  return { letter: emailChangedText(wordsFor(realm, await settings.ofUser(mysql, userId)), organisation) };
}
