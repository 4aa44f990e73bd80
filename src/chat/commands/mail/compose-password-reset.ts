/** Composes the mail with a password reset link. An address without an account gets no mail. */
import { newToken, type Mail } from '../../model/mail/mail';
import { passwordResetText } from '../../model/mail/mail-texts';
import { isBot } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as resets from '../../store/accounts/password-resets';
import * as users from '../../store/users/users';
import type { Composed, Surroundings } from './composed';

export async function composePasswordReset(
  { kernel, mail: { settings } }: Chat,
  mail: Mail,
  { organisation }: Surroundings,
): Promise<Composed> {
  const user = await users.byEmail(kernel.mysql, mail.realmId, mail.recipient);
  if (!user || !user.isActive || isBot(user)) return { dropped: 'Nobody has this address' };
  const nonce = await kernel.transaction((tx) =>
    resets.ensureFor(tx.db, mail.id, {
      userId: user.id,
      token: newToken(kernel.secrets, 'password-reset'),
      validMs: settings.passwordResetMs,
    }),
  );
  const link = `${organisation.url}/password_reset/${kernel.secrets.token('password-reset', nonce)}`;
  const words = passwordResetText(organisation, link, Math.ceil(settings.passwordResetMs / 60_000));
  // Sent to the stored address: a mail server may tell the cases of letters apart.
  return { letter: { ...words, to: user.email } };
}
