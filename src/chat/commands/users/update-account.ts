/** Changes a user's own name and password, and asks for a change of their address. */
import type { Database } from '../../../kernel/mysql/pool';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Wire } from '../../../kernel/text/wire';
import type { accountAnswer } from '../../model/answers/users';
import type { User } from '../../model/users/user';
import { fillAllFields, wrongOldPassword } from '../../model/users/user-faults';
import { checkFullName } from '../../model/users/user-policy';
import type { Chat, Enrolling } from '../../parts';
import * as resets from '../../store/accounts/password-resets';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';
import { requestEmailChange } from '../accounts/change-email';
import { endSessions } from '../accounts/sessions';
import { hashNewPassword } from '../accounts/hash-new-password';
import { renameIn } from './update-user';

interface AccountEdit {
  readonly fullName: string;
  readonly email: string;
  readonly oldPassword: string;
  readonly newPassword: string;
  /** The client's IP address. */
  readonly from: string;
  /** The token of the current session. A new password ends all other sessions. */
  readonly keptSession?: string | undefined;
}

/** Returns what changed. */
export async function updateAccount(
  kernel: Enrolling & Pick<Chat, 'mail'>,
  by: User,
  edit: AccountEdit,
): Promise<Wire<typeof accountAnswer>> {
  ensure(edit.fullName !== '' || edit.email !== '' || edit.newPassword !== '', fillAllFields());
  const email = edit.email.trim();
  const isNewEmail = email !== '' && !isSameEmail(email, by.email);
  if (isNewEmail) await requestEmailChange(kernel, by, email);
  const passwordHash = edit.newPassword === '' ? undefined : await newPassword(kernel, by, edit);
  const fullName = await newName(kernel.mysql, by, edit.fullName);
  await kernel.transaction(async (tx) => {
    if (passwordHash !== undefined) {
      await users.update(tx.db, by.id, { passwordHash });
      await resets.removeAllOf(tx.db, by.id);
      const { keptSession } = edit;
      await endSessions(tx, by, keptSession === undefined ? undefined : kernel.secrets.lookup(keptSession));
    }
    if (fullName !== undefined) await renameIn(tx, by, fullName);
  });
  return {
    ...(fullName === undefined ? {} : { full_name: fullName }),
    ...(isNewEmail ? { account_email: 'Check your email for a confirmation link.' } : {}),
  };
}

async function newPassword(kernel: Enrolling, by: User, edit: AccountEdit): Promise<string> {
  const { passwordHash } = await users.credentials(kernel.mysql, by.id);
  const requester = { address: edit.from, account: `${by.realmId}:${emailKey(by.email)}` };
  const isRight = passwordHash !== null && (await kernel.passwords.check(edit.oldPassword, passwordHash, requester));
  ensure(isRight, wrongOldPassword());
  return hashNewPassword(kernel, { password: edit.newPassword, words: [by.email, by.fullName], by: requester });
}

/** If name changes are disabled, the request is ignored without an error, as in Zulip. */
async function newName(db: Database, by: User, written: string): Promise<string | undefined> {
  if (written.trim() === '' || written === by.fullName) return undefined;
  const realm = (await realms.byId(db, by.realmId))!;
  if (realm.settings.name_changes_disabled && by.role !== 'admin') return undefined;
  return checkFullName(written);
}
