/** Ends sessions. Every node drops what it cached of the user, and ends the polls that wait for them. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { noSuchSession } from '../../model/accounts/session-faults';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import * as sessions from '../../store/accounts/sessions';

/** One that the user chose. */
export async function endSession(kernel: Kernel, by: User, id: number): Promise<void> {
  await kernel.transaction(async (tx) => {
    ensure(await sessions.remove(tx.db, by.id, id), noSuchSession());
    tx.deliver(accessChanged(by.realmId, by.id));
  });
}

/** All of a user's, because they lost their access or changed what it rests on. The one of the given hash stays. */
export async function endSessions(tx: Tx, user: User, keptHash?: string): Promise<void> {
  const ended = await sessions.removeAllOf(tx.db, user.id, keptHash);
  if (ended > 0) tx.deliver(accessChanged(user.realmId, user.id));
}
