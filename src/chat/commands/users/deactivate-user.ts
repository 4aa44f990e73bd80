/** Deactivates a user with the bots they own, or reactivates them. Their messages stay. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { User } from '../../model/users/user';
import { accessChanged, botRemoved, userRemoved } from '../../model/users/user-events';
import { lastAdminLives } from '../../model/users/user-faults';
import * as sessions from '../../store/accounts/sessions';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';
import { ensureRoom, publishArrival } from './create-user';

export async function deactivateUser(kernel: Pick<Kernel, 'transaction'>, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    await ensureOthersLead(tx, user);
    const standing = await users.lock(tx.db, user.realmId, user.id);
    if (!standing?.isActive) return;
    await lockOut(tx, standing);
    for (const bot of await bots.list(tx.db, user.realmId, user.id)) await lockOut(tx, bot);
  });
}

/** An organisation without an administrator could never get one again. */
async function ensureOthersLead(tx: Tx, user: User): Promise<void> {
  if (user.botType !== null) return;
  const admins = await users.lockAdmins(tx.db, user.realmId);
  ensure(!(admins.length === 1 && admins[0] === user.id), lastAdminLives());
}

async function lockOut(tx: Tx, user: User): Promise<void> {
  await users.setActive(tx.db, user.id, false);
  tx.deliver(userRemoved(user));
  if (user.botType !== null) tx.deliver(botRemoved(user, await bots.audience(tx.db, user.realmId, user.botOwnerId)));
  await sessions.removeAllOf(tx.db, user.id);
  tx.deliver(accessChanged(user.realmId, user.id));
}

/** Reactivates a user, with their former API key. */
export async function reactivateUser(kernel: Pick<Kernel, 'transaction'>, user: User): Promise<void> {
  await kernel.transaction(async (tx) => {
    const standing = await users.lock(tx.db, user.realmId, user.id);
    if (!standing || standing.isActive) return;
    if (standing.botType === null) await ensureRoom(tx, user.realmId);
    await users.setActive(tx.db, user.id, true);
    await publishArrival(tx, { ...standing, isActive: true });
    tx.deliver(accessChanged(user.realmId, user.id));
  });
}
