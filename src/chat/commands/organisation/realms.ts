/** Creates an organisation, changes its address, deactivates and reactivates it. */
import { ensure } from '../../../kernel/fault';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Transact, Tx } from '../../../kernel/mysql/transaction';
import {
  addressTaken,
  badHostName,
  badSubdomain,
  noSuchRealm,
  realmExists,
  subdomainNeeded,
  unnamedRealm,
} from '../../model/faults';
import { hostName, isHostName, isSubdomain } from '../../model/organisation/address';
import type { RealmId } from '../../model/organisation/realm';
import { realmDeactivated } from '../../model/organisation/realm-events';
import type { User } from '../../model/users/user';
import { everybodyLockedOut } from '../../model/users/user-events';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as realmHosts from '../../store/organisation/realm-hosts';
import * as realms from '../../store/organisation/realms';

type Parts = Pick<Chat, 'realms' | 'transaction'>;

export interface AddressDraft {
  readonly subdomain?: string | undefined;
  /** Replaces the current host names. Links use the first one. */
  readonly hosts?: readonly string[] | undefined;
}

export interface RealmDraft extends AddressDraft {
  readonly name: string;
  readonly description: string;
}

/** The only organisation on its server, or one of several, each with its own subdomain. */
export async function createRealm(chat: Parts, { name, description, ...draft }: RealmDraft): Promise<RealmId> {
  const { subdomain = '', hosts = [] } = checkAddress(draft);
  return changeAddresses(chat, async ({ db }) => {
    const others = await realms.lockSubdomains(db);
    ensure(others.length === 0 || subdomain !== '', realmExists());
    ensure(!others.includes(''), unnamedRealm());
    const id = await realms.insert(db, { subdomain, name, description });
    await realmHosts.replace(db, id, hosts);
    return id;
  });
}

/** Changes an organisation's subdomain and its own host names. */
export async function moveRealm(chat: Parts, id: RealmId, draft: AddressDraft): Promise<void> {
  const { subdomain, hosts } = checkAddress(draft);
  await changeAddresses(chat, async ({ db }) => {
    const all = await realms.lockSubdomains(db);
    ensure(subdomain !== '' || all.length === 1, subdomainNeeded());
    if (subdomain !== undefined) await realms.setSubdomain(db, id, subdomain);
    if (hosts !== undefined) await realmHosts.replace(db, id, hosts);
  });
}

/** A subdomain or host belongs to one organisation only. Every node learns of the change. */
async function changeAddresses<T>(chat: Parts, change: (tx: Tx) => Promise<T>): Promise<T> {
  const changed = await chat.transaction(change).catch(ifDuplicate(addressTaken));
  await chat.realms.announceMove();
  return changed;
}

function checkAddress({ subdomain, hosts }: AddressDraft): AddressDraft {
  ensure(subdomain === undefined || subdomain === '' || isSubdomain(subdomain), badSubdomain());
  const names = hosts && [...new Set(hosts.map(hostName))];
  const wrong = names?.find((name) => !isHostName(name));
  ensure(wrong === undefined, badHostName(wrong ?? ''));
  return { subdomain, hosts: names };
}

export async function deactivateOwnRealm(transaction: Transact, by: User): Promise<void> {
  ensureAdmin(by);
  await deactivateRealm(transaction, by.realmId);
}

/** For operators. */
export const deactivateRealm = (transaction: Transact, realmId: RealmId): Promise<void> =>
  transaction((tx) => deactivateRealmIn(tx, realmId));

/** Ends all access. Users, bots and messages stay. For a transaction that also records who did it. */
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
