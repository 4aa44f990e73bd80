/** Creates an organisation: the only one on its server, or one of several, each with its own subdomain. */
import { ensure } from '../../../kernel/fault';
import type { RealmId } from '../../model/organisation/realm';
import { realmExists, unnamedRealm } from '../../model/faults';
import type { Chat } from '../../parts';
import * as realmHosts from '../../store/organisation/realm-hosts';
import * as realms from '../../store/organisation/realms';
import { checkAddress, onlyOnce, type AddressDraft } from './move-realm';

export interface RealmDraft extends AddressDraft {
  readonly name: string;
  readonly description: string;
}

export async function createRealm(
  chat: Pick<Chat, 'realms' | 'transaction'>,
  { name, description, ...draft }: RealmDraft,
): Promise<RealmId> {
  const { subdomain = '', hosts = [] } = checkAddress(draft);
  const founded = await onlyOnce(() =>
    chat.transaction(async ({ db }) => {
      const others = await realms.lockSubdomains(db);
      ensure(others.length === 0 || subdomain !== '', realmExists());
      ensure(!others.includes(''), unnamedRealm());
      const id = await realms.insert(db, { subdomain, name, description });
      await realmHosts.replace(db, id, hosts);
      return id;
    }),
  );
  await chat.realms.announceMove();
  return founded;
}
