/** Changes a user's name, role and profile, for administrators. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { noSuchUser } from '../../model/faults';
import type { Role, User } from '../../model/users/user';
import { accessChanged, botChanged, userChanged } from '../../model/users/user-events';
import { guestsAreNoAdmins, lastAdminStays, nameInUse } from '../../model/users/user-faults';
import { checkFullName, ensureAdmin, isSystemBot } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';
import { answerFieldsIn, checkAnswers, type WrittenAnswer } from './update-profile';

type Parts = Storage & Pick<Chat, 'realms' | 'renderer' | 'vocabularies'>;

export interface UserEdit {
  readonly fullName?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isGuest?: boolean | undefined;
  readonly profile?: readonly WrittenAnswer[] | undefined;
}

export async function updateUser(chat: Parts, by: User, id: number, edit: UserEdit): Promise<void> {
  ensureAdmin(by);
  const answers = await checkAnswers(chat, by.realmId, edit.profile ?? []);
  await chat.transaction(async (tx) => {
    // Taken first, so that two administrators who demote each other are serialised.
    const admins = edit.isAdmin === false ? await users.lockAdmins(tx.db, by.realmId) : [];
    const user = await users.lock(tx.db, by.realmId, id);
    ensure(user !== undefined && !isSystemBot(user), noSuchUser());
    const role = roleAfter(user.role, edit);
    const isLast = user.role === 'admin' && role !== 'admin' && admins.every((admin) => admin === user.id);
    ensure(!isLast || user.botType !== null, lastAdminStays());
    await changeRole(tx, user, role);
    if (edit.fullName !== undefined && edit.fullName.trim() !== '') await renameIn(tx, user, edit.fullName);
    await answerFieldsIn(tx, user, answers);
  });
}

function roleAfter(role: Role, { isAdmin, isGuest }: UserEdit): Role {
  const willBeAdmin = isAdmin ?? role === 'admin';
  const willBeGuest = isGuest ?? role === 'guest';
  ensure(!(willBeAdmin && willBeGuest), guestsAreNoAdmins());
  if (willBeAdmin) return 'admin';
  return willBeGuest ? 'guest' : 'member';
}

async function changeRole(tx: Tx, user: User, role: Role): Promise<void> {
  if (role === user.role) return;
  await users.update(tx.db, user.id, { role });
  for (const [name, of] of [
    ['is_admin', 'admin'],
    ['is_guest', 'guest'],
  ] as const) {
    if ((user.role === of) !== (role === of)) tx.deliver(userChanged(user, { [name]: role === of }));
  }
  tx.deliver(accessChanged(user.realmId, user.id));
}

/** Renames a user or bot. Returns the stored name. */
export async function renameIn(tx: Tx, user: User, written: string): Promise<string> {
  const fullName = checkFullName(written);
  if (fullName === user.fullName) return fullName;
  if (user.botType !== null) {
    const isOwnName = fullName.toLowerCase() === user.fullName.toLowerCase();
    ensure(isOwnName || !(await bots.isNameInUse(tx.db, user.realmId, fullName)), nameInUse());
  }
  await users.update(tx.db, user.id, { fullName });
  tx.deliver(userChanged(user, { full_name: fullName }));
  if (user.botType !== null) {
    const audience = await bots.audience(tx.db, user.realmId, user.botOwnerId);
    tx.deliver(botChanged(user, { full_name: fullName }, audience));
  }
  return fullName;
}
