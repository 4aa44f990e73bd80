/** Changes a user's own address, once somebody has opened the link that was mailed to the new one. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Database } from '../../../kernel/mysql/pool';
import { isPlainlySpelled, isSameEmail } from '../../../kernel/secrets/email-key';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { type EmailChange, stampOf, unsealChange } from '../../model/accounts/email-change';
import { invalidLink } from '../../model/accounts/invitation';
import { disguisedEmail, emailTaken, notAnEmail } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { isEmail, type User } from '../../model/users/user';
import { accessChanged, userChanged } from '../../model/users/user-events';
import { emailChangesDisabled } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { checkAddress } from '../../queries/organisation/realm-lists';
import * as resets from '../../store/accounts/password-resets';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import * as users from '../../store/users/users';
import { postMail } from '../mail/post-mail';
import { ensureMailIsOn } from './invitations';

type Parts = Storage & Pick<Chat, 'mail'>;

/** The address stays until then. Whether an account has the new one is told, as it is to those who invite. */
export async function requestEmailChange(chat: Parts, by: User, to: string): Promise<void> {
  await ensureMayChange(chat.mysql, by);
  ensureMailIsOn(chat.mail);
  ensure(isPlainlySpelled(to), disguisedEmail());
  ensure(isEmail(to), notAnEmail());
  await checkAddress(chat.mysql, by.realmId, to);
  const [taken] = await people.withEmailKeys(chat.mysql, by.realmId, [to]);
  ensure(taken === undefined, emailTaken(to));
  const about = { kind: 'email-change', userId: by.id, from: by.email } as const;
  await chat.transaction((tx) => postMail(tx, { realmId: by.realmId, recipient: to, about }));
}

async function ensureMayChange(db: Database, by: User): Promise<void> {
  const { settings } = (await realms.byId(db, by.realmId))!;
  ensure(!settings.email_changes_disabled || by.role === 'admin', emailChangesDisabled());
}

interface Found {
  readonly user: User;
  readonly change: EmailChange;
}

export async function findEmailChange(chat: Storage, realmId: RealmId, token: string): Promise<Found> {
  const change = unsealChange(chat.secrets, token, chat.clock.now().getTime());
  const user = await users.byId(chat.mysql, realmId, change.userId);
  return { user: await ensureStands(chat.secrets, chat.mysql, change, user), change };
}

/** Returns the user if the account is as it was when the link was mailed. */
// oxlint-disable-next-line max-params -- what the stamp is made with, where it is looked up, the change, and whose it is
async function ensureStands(
  secrets: Secrets,
  db: Database,
  { from, stamp }: EmailChange,
  user: User | undefined,
): Promise<User> {
  ensure(user?.isActive === true && isSameEmail(user.email, from), invalidLink());
  ensure(stampOf(secrets, await users.credentials(db, user.id)) === stamp, invalidLink());
  return user;
}

/** Everybody learns the new address. The old one gets a mail, in case it was somebody else who asked. */
export async function confirmEmailChange(chat: Parts, realmId: RealmId, token: string): Promise<string> {
  const { user, change } = await findEmailChange(chat, realmId, token);
  const { from, to } = change;
  await ensureMayChange(chat.mysql, user);
  await checkAddress(chat.mysql, realmId, to);
  await chat.transaction(async (tx) => {
    // Again, now that nothing else changes the account.
    const locked = await users.lock(tx.db, realmId, user.id);
    const standing = await ensureStands(chat.secrets, tx.db, change, locked);
    await users.setEmail(tx.db, user.id, to).catch(ifDuplicate(() => emailTaken(to)));
    await resets.removeAllOf(tx.db, user.id);
    tx.deliver(userChanged(standing, { new_email: to }, { delivery_email: to }));
    // Nodes know callers by their addresses.
    tx.deliver(accessChanged(realmId, user.id));
    await postMail(tx, { realmId, recipient: from, about: { kind: 'email-changed', userId: user.id } });
  });
  return to;
}
