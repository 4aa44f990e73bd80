/** Deactivates a user with the bots they own, or reactivates them; their messages stay. Erases users. */
import { ensure } from '../../../kernel/fault';
import type { Clock } from '../../../kernel/clock';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { isOwner } from '../../model/users/role';
import type { User } from '../../model/users/user';
import { accessChanged, botRemoved, userChanged, userRemoved } from '../../model/users/user-events';
import { lastAdminLives, lastOwnerLives } from '../../model/users/user-faults';
import * as sessions from '../../store/accounts/sessions';
import * as bots from '../../store/bots/bots';
import * as edits from '../../store/messages/message-edits';
import * as uploads from '../../store/uploads/uploads';
import * as personal from '../../store/users/personal-data';
import * as users from '../../store/users/users';
import { rotateKey } from '../accounts/rotate-key';
import { deletion } from '../messages/delete-messages';
import { ensureRoom, publishArrival } from './create-user';
import { followRole } from './follow-role';

export async function deactivateUser(kernel: Pick<Kernel, 'transaction' | 'clock'>, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    await ensureOthersLead(tx, user);
    const standing = await users.lock(tx.db, user.realmId, user.id);
    if (!standing?.isActive) return;
    await lockOut(tx, kernel.clock, standing);
    for (const bot of await bots.list(tx.db, user.realmId, user.id)) await lockOut(tx, kernel.clock, bot);
  });
}

/** An organisation without an administrator could never get one again. */
async function ensureOthersLead(tx: Tx, user: User): Promise<void> {
  if (user.botType !== null) return;
  const leaders = await users.lockAdmins(tx.db, user.realmId);
  const others = leaders.filter(({ id }) => id !== user.id);
  ensure(others.length > 0 || leaders.length === 0, lastAdminLives());
  ensure(!leaders.some((each) => each.id === user.id && isOwner(each)) || others.some(isOwner), lastOwnerLives());
}

async function lockOut(tx: Tx, clock: Clock, user: User): Promise<void> {
  await users.setActive(tx.db, user.id, false);
  if (user.isActive) await followRole(tx, clock, user, undefined);
  tx.deliver(userRemoved(user));
  if (user.botType !== null) tx.deliver(botRemoved(user, await bots.audience(tx.db, user.realmId, user.botOwnerId)));
  await sessions.removeAllOf(tx.db, user.id);
  tx.deliver(accessChanged(user.realmId, user.id));
}

/** Reactivates a user, with their former API key. */
export async function reactivateUser(kernel: Pick<Kernel, 'transaction' | 'clock'>, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    const standing = await users.lock(tx.db, user.realmId, user.id);
    if (!standing || standing.isActive) return;
    if (standing.botType === null) await ensureRoom(tx, user.realmId);
    await users.setActive(tx.db, user.id, true);
    await publishArrival(tx, kernel.clock, { ...standing, isActive: true });
    tx.deliver(accessChanged(user.realmId, user.id));
  });
}

export interface Erased {
  readonly messages: number;
  readonly files: number;
}

/** Each message has its own event, which limits how many fit in a transaction. */
const MAX_AT_ONCE = 100;

/**
 * Locks a user out and deletes all personal data. Their messages stay under the name "Deleted user", unless messages and
 * uploaded files are to be deleted too. An interrupted erasure can be repeated.
 */
export async function eraseUser(kernel: Storage, user: User, withMessages: boolean): Promise<Erased> {
  await deactivateUser(kernel, user);
  await rotateKey(kernel, user);
  const erased = withMessages ? await removeWritings(kernel, user) : { messages: 0, files: 0 };
  await kernel.transaction(async (tx) => {
    const standing = (await users.lock(tx.db, user.realmId, user.id))!;
    await personal.forget(tx.db, standing);
    const as = { email: `deleted-${user.id}@invalid.example`, fullName: `Deleted user ${user.id}` };
    await personal.anonymise(tx.db, user.id, as);
    tx.deliver(userChanged(standing, { full_name: as.fullName }));
    tx.deliver(userChanged(standing, { new_email: as.email }, { delivery_email: as.email }));
  });
  return erased;
}

async function removeWritings(kernel: Storage, user: User): Promise<Erased> {
  let messages = 0;
  for (let count = MAX_AT_ONCE; count === MAX_AT_ONCE; messages += count) {
    count = await kernel.transaction((tx) => removeSome(tx, user));
  }
  const files = await uploads.ofOwner(kernel.mysql, user.realmId, user.id);
  for (const { id } of files) await kernel.transaction((tx) => uploads.remove(tx.db, user.id, id));
  return { messages, files: files.length };
}

/** Returns how many messages were removed. */
async function removeSome(tx: Tx, user: User): Promise<number> {
  const { realmId } = user;
  const found = await personal.messagesOf(tx.db, user, 0, MAX_AT_ONCE);
  const everybody = new Set<number>();
  for (const message of found) {
    const received = await edits.receivers(tx.db, message);
    for (const id of received) everybody.add(id);
    tx.deliver(eventDelivery(realmId, received, deletion(message, user)));
  }
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) await edits.remove(tx.db, { realmId, ids }, [...everybody] as User['id'][]);
  return found.length;
}
