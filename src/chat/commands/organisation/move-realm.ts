/** Changes an organisation's address: its subdomain and its own host names. */
import { ensure } from '../../../kernel/fault';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { addressTaken, badHostName, badSubdomain, subdomainNeeded } from '../../model/faults';
import { hostName, isHostName, isSubdomain } from '../../model/organisation/address';
import type { RealmId } from '../../model/organisation/realm';
import type { Chat } from '../../parts';
import * as realmHosts from '../../store/organisation/realm-hosts';
import * as realms from '../../store/organisation/realms';

type Parts = Pick<Chat, 'realms' | 'transaction'>;

export interface AddressDraft {
  readonly subdomain?: string | undefined;
  /** Replaces the current host names. Links use the first one. */
  readonly hosts?: readonly string[] | undefined;
}

export async function moveRealm(chat: Parts, id: RealmId, draft: AddressDraft): Promise<void> {
  const { subdomain, hosts } = checkAddress(draft);
  await onlyOnce(() =>
    chat.transaction(async ({ db }) => {
      const all = await realms.lockSubdomains(db);
      ensure(subdomain !== '' || all.length === 1, subdomainNeeded());
      if (subdomain !== undefined) await realms.setSubdomain(db, id, subdomain);
      if (hosts !== undefined) await realmHosts.replace(db, id, hosts);
    }),
  );
  await chat.realms.announceMove();
}

export function checkAddress({ subdomain, hosts }: AddressDraft): AddressDraft {
  ensure(subdomain === undefined || subdomain === '' || isSubdomain(subdomain), badSubdomain());
  const names = hosts && [...new Set(hosts.map(hostName))];
  const wrong = names?.find((name) => !isHostName(name));
  ensure(wrong === undefined, badHostName(wrong ?? ''));
  return { subdomain, hosts: names };
}

/** A subdomain or host belongs to one organisation only. */
export async function onlyOnce<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isDuplicate(error)) throw addressTaken();
    throw error;
  }
}
