/** Password reset links. Whether an address has an account is looked up only when the mail is written. */
import type { Storage } from '../../../kernel/kernel';
import { emailKey } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { invalidLink } from '../../model/accounts/invitation';
import { notAnEmail, passwordsDisabled } from '../../model/faults';
import { hashOfToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import { isEmail, type User } from '../../model/users/user';
import { isBot } from '../../model/users/user-policy';
import type { Chat, Enrolling } from '../../parts';
import type { ChatSettings } from '../../settings';
import * as resets from '../../store/accounts/password-resets';
import * as users from '../../store/users/users';
import { postMail } from '../mail/post-mail';
import { ensureMailIsOn } from './invitations';
import { endSessions } from './sessions';
import { hashNewPassword } from './hash-new-password';

export async function requestPasswordReset(
  chat: Pick<Chat, 'mail' | 'transaction'>,
  { authMethods }: Pick<ChatSettings, 'authMethods'>,
  realmId: RealmId,
  email: string,
): Promise<void> {
  ensure(authMethods.includes('password'), passwordsDisabled());
  ensureMailIsOn(chat.mail);
  ensure(isEmail(email), notAnEmail());
  await chat.transaction((tx) => postMail(tx, { realmId, recipient: email, about: { kind: 'password-reset' } }));
}

export interface NewPassword {
  readonly token: string;
  readonly password: string;
  /** The client's IP address. */
  readonly from: string;
}

/** Sets a new password with a link from a mail. All reset links of the user end with it. */
export async function usePasswordReset(
  kernel: Enrolling,
  { authMethods }: Pick<ChatSettings, 'authMethods'>,
  realmId: RealmId,
  { token, password, from }: NewPassword,
): Promise<void> {
  ensure(authMethods.includes('password'), passwordsDisabled());
  const user = await findResetUser(kernel, realmId, token);
  const by = { address: from, account: `${realmId}:${emailKey(user.email)}` };
  const passwordHash = await hashNewPassword(kernel, { password, words: [user.email, user.fullName], by });
  await kernel.transaction(async (tx) => {
    const userId = await resets.lockUserOf(tx.db, hashOfToken(kernel.secrets, token)!);
    ensure(userId === user.id, invalidLink());
    await users.update(tx.db, user.id, { passwordHash });
    await resets.removeAllOf(tx.db, user.id);
    await endSessions(tx, user);
  });
}

/** Finds the link's user. A link of another organisation is as invalid as one that never existed. */
export async function findResetUser(kernel: Storage, realmId: RealmId, token: string): Promise<User> {
  const hash = hashOfToken(kernel.secrets, token);
  const userId = hash === undefined ? undefined : await resets.userOf(kernel.mysql, hash);
  const user = userId === undefined ? undefined : await users.byId(kernel.mysql, realmId, userId);
  ensure(user !== undefined && user.isActive && !isBot(user), invalidLink());
  return user;
}
