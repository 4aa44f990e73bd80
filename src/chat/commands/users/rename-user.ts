/** Renames a user or bot. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { User } from '../../model/users/user';
import { botChanged, userChanged } from '../../model/users/user-events';
import { nameInUse } from '../../model/users/user-faults';
import { checkFullName } from '../../model/users/user-policy';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';

/** For use in a transaction. Returns the stored name. */
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
