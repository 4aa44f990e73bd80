/** The initial state of a registration: the requested parts, and the number of the last event they include. */
import { ensure } from '../../../../kernel/fault';
import type { Kernel } from '../../../../kernel/kernel';
import type { Database } from '../../../../kernel/mysql/pool';
import { readSnapshot } from '../../../../kernel/mysql/snapshot';
import { accountDeactivated, noSuchRealm } from '../../../model/faults';
import type { Realm } from '../../../model/organisation/realm';
import { realmTenant } from '../../../model/organisation/realm';
import type { User } from '../../../model/users/user';
import * as counters from '../../../store/counters';
import * as realms from '../../../store/organisation/realms';
import * as users from '../../../store/users/users';
import { getSettings } from '../../users/get-settings';
import { PARTS } from './parts';
import type { StateRequest, StateView } from './part';

export async function readInitialState(
  kernel: Kernel,
  by: User,
  request: StateRequest,
): Promise<{ state: Record<string, unknown>; eventNumber: number }> {
  const wanted = new Set(request.fetchTypes ?? Object.keys(PARTS));
  return readSnapshot(kernel.mysql, async (db) => {
    const eventNumber = await counters.eventNumber(db, realmTenant(by.realmId));
    // Read in the snapshot: the user may have been renamed, or lost rights, since authentication.
    const self = await users.byId(db, by.realmId, by.id);
    ensure(self?.isActive === true, accountDeactivated());
    const view: StateView = {
      kernel,
      db,
      by: self,
      everybody: once(() => users.list(db, by.realmId)),
      realm: once(() => realmOf(db, by)),
      settings: once(() => getSettings({ mysql: db }, self)),
      request,
      wanted,
    };
    const state: Record<string, unknown> = {};
    // The parts run one after the other, on one connection with one snapshot.
    for (const [type, part] of Object.entries(PARTS)) if (wanted.has(type)) Object.assign(state, await part(view));
    return { state, eventNumber };
  });
}

async function realmOf(db: Database, by: User): Promise<Realm> {
  const realm = await realms.byId(db, by.realmId);
  ensure(realm !== undefined, noSuchRealm());
  return realm;
}

/** Shared by several parts, and read when the first one needs it. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}
