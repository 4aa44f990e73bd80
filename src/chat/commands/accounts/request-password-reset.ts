/** Requests a password reset link by mail. Whether the address has an account is looked up when the mail is written. */
import { ensure } from '../../../kernel/fault';
import { notAnEmail, passwordsDisabled } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { isEmail } from '../../model/users/user';
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import { postMail } from '../mail/post-mail';
import { ensureMailIsOn } from './check-invitation';

export async function requestPasswordReset(
  chat: Chat,
  { authMethods }: Pick<ChatSettings, 'authMethods'>,
  realmId: RealmId,
  email: string,
): Promise<void> {
  ensure(authMethods.includes('password'), passwordsDisabled());
  ensureMailIsOn(chat);
  ensure(isEmail(email), notAnEmail());
  await chat.kernel.transaction((tx) => postMail(tx, { realmId, recipient: email, about: { kind: 'password-reset' } }));
}
