/** Deactivates an organisation, which ends all access, and reactivates it. Its users, bots and messages stay. */
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { noSuchRealm } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { realmDeactivated } from '../../model/organisation/realm-events';
import type { User } from '../../model/users/user';
import { everybodyLockedOut } from '../../model/users/user-events';
import { ensureAdmin } from '../../model/users/user-policy';
import * as realms from '../../store/organisation/realms';

export async function deactivateOwnRealm(transaction: Transact, by: User): Promise<void> {
  ensureAdmin(by);
  await deactivateRealm(transaction, by.realmId);
}

/** For operators. */
export const deactivateRealm = (transaction: Transact, realmId: RealmId): Promise<void> =>
  transaction((tx) => deactivateRealmIn(tx, realmId));

/** For a transaction that also records who did it. */
export async function deactivateRealmIn(tx: Tx, realmId: RealmId): Promise<void> {
  const realm = await realms.lock(tx.db, realmId);
  if (!realm) throw noSuchRealm();
  if (!realm.isActive) return;
  await realms.setActive(tx.db, realmId, false);
  tx.deliver(realmDeactivated(realmId));
  tx.deliver(everybodyLockedOut(realmId));
}

/** For operators: nobody in the organisation has access to do it. */
export const reactivateRealm = (transaction: Transact, realmId: RealmId): Promise<void> =>
  transaction((tx) => reactivateRealmIn(tx, realmId));

export async function reactivateRealmIn(tx: Tx, realmId: RealmId): Promise<void> {
  if (!(await realms.lock(tx.db, realmId))) throw noSuchRealm();
  await realms.setActive(tx.db, realmId, true);
}
