/** Adds, changes and removes an organisation's domains, and publishes the changes to everyone. */
import { ensure } from '../../../kernel/fault';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { noSuchRealm } from '../../model/faults';
import { domainTaken, invalidDomain, noSuchDomain, tooManyDomains } from '../../model/organisation/organisation-faults';
import type { Realm } from '../../model/organisation/realm';
import {
  domainKey,
  domainMistake,
  MAX_DOMAINS,
  wireDomain,
  type RealmDomain,
} from '../../model/organisation/realm-domain';
import { realmChanges } from '../../model/organisation/realm-events';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as domains from '../../store/organisation/realm-domains';
import * as realms from '../../store/organisation/realms';

export async function addRealmDomain(transaction: Transact, by: User, written: RealmDomain): Promise<[number, string]> {
  ensureAdmin(by);
  const added = { ...written, domain: domainKey(written.domain) };
  const mistake = domainMistake(added.domain);
  if (mistake !== undefined) throw invalidDomain(mistake);
  return changing(transaction, by, async (tx) => {
    const known = await domains.list(tx.db, by.realmId);
    ensure(!known.some(({ domain }) => domain === added.domain), domainTaken(added.domain));
    ensure(known.length < MAX_DOMAINS, tooManyDomains(MAX_DOMAINS));
    const id = await domains.insert(tx.db, by.realmId, added);
    publishAll(tx, by, { op: 'add', realm_domain: wireDomain(added) });
    return [id, added.domain];
  });
}

export async function changeRealmDomain(transaction: Transact, by: User, written: RealmDomain): Promise<void> {
  ensureAdmin(by);
  const changed = { ...written, domain: domainKey(written.domain) };
  await changing(transaction, by, async (tx) => {
    ensure(await domains.has(tx.db, by.realmId, changed.domain), noSuchDomain(written.domain));
    await domains.update(tx.db, by.realmId, changed);
    publishAll(tx, by, { op: 'change', realm_domain: wireDomain(changed) });
  });
}

export async function removeRealmDomain(transaction: Transact, by: User, written: string): Promise<void> {
  ensureAdmin(by);
  const domain = domainKey(written);
  await changing(transaction, by, async (tx, realm) => {
    ensure(await domains.remove(tx.db, by.realmId, domain), noSuchDomain(written));
    if ((await domains.list(tx.db, by.realmId)).length === 0) await liftRestriction(tx, realm);
    publishAll(tx, by, { op: 'remove', domain });
  });
}

/** If no domain is left, the restriction is lifted: otherwise nobody could join. */
async function liftRestriction(tx: Tx, realm: Realm): Promise<void> {
  if (!realm.settings.emails_restricted_to_domains) return;
  const settings = { ...realm.settings, emails_restricted_to_domains: false };
  await realms.update(tx.db, { ...realm, settings });
  for (const delivery of realmChanges(realm.id, settings, ['emails_restricted_to_domains'])) tx.deliver(delivery);
}

function publishAll(tx: Tx, by: User, change: { readonly op: string; readonly [key: string]: unknown }): void {
  tx.deliver(eventDelivery(by.realmId, 'everyone', { type: 'realm_domains', ...change }));
}

/** Locks the organisation, so that events keep the order of the changes. */
function changing<T>(transaction: Transact, by: User, work: (tx: Tx, realm: Realm) => Promise<T>): Promise<T> {
  return transaction(async (tx) => {
    const realm = await realms.lock(tx.db, by.realmId);
    if (!realm) throw noSuchRealm();
    return work(tx, realm);
  });
}
