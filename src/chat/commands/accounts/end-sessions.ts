/** Ends sessions. Every node drops the user from its caches and ends their waiting polls. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { noSuchSession } from '../../model/accounts/session-faults';
import type { User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import * as sessions from '../../store/accounts/sessions';

/** Ends one session that the user chose. */
export async function endSession(kernel: Kernel, by: User, id: number): Promise<void> {
  await kernel.transaction(async (tx) => {
    ensure(await sessions.remove(tx.db, by.id, id), noSuchSession());
    tx.deliver(accessChanged(by.realmId, by.id));
  });
}

/** Ends all of a user's sessions, because access or credentials changed. Keeps the session with the given hash. */
export async function endSessions(tx: Tx, user: User, keptHash?: string): Promise<void> {
  const ended = await sessions.removeAllOf(tx.db, user.id, keptHash);
  if (ended > 0) tx.deliver(accessChanged(user.realmId, user.id));
}
