/** An organisation's custom emoji, linkifiers and domains, and whether the domains admit an address. */
import type { Database } from '../../../kernel/mysql/pool';
import { mapRead, type Read } from '../../../kernel/mysql/read-packet';
import type { Wire } from '../../../kernel/text/wire';
import type { realmDomain } from '../../model/answers/organisation';
import type { realmEmoji, todayLinkifier } from '../../model/answers/realm';
import { addressNotAllowed, aliasNotAllowed } from '../../model/organisation/organisation-faults';
import type { Realm, RealmId } from '../../model/organisation/realm';
import { admitsAddress, wireDomain } from '../../model/organisation/realm-domain';
import { wireLinkifier } from '../../model/organisation/linkifier-wire';
import { wireEmoji } from '../../model/organisation/realm-emoji';
import * as linkifiers from '../../store/organisation/linkifiers';
import * as domains from '../../store/organisation/realm-domains';
import * as emoji from '../../store/organisation/realm-emoji';
import * as realms from '../../store/organisation/realms';

export const realmEmojiRead = (realmId: RealmId): Read<Wire<typeof realmEmoji>> =>
  mapRead(emoji.listRead(realmId), (all) => wireEmoji(realmId, all));

export const linkifiersRead = (realmId: RealmId): Read<[string, string, number][]> =>
  mapRead(linkifiers.listRead(realmId), (all) => all.map(({ id, pattern, urlFormat }) => [pattern, urlFormat, id]));

/** What today's clients read of each emoji besides. */
export const emojiAuthorsRead = (realmId: RealmId): Read<Record<string, { readonly author_id: number }>> =>
  mapRead(emoji.listRead(realmId), (all) =>
    Object.fromEntries(all.map(({ id, author }) => [String(id), { author_id: author.id }])),
  );

/** For today's clients. */
export const todayLinkifiersRead = (realmId: RealmId): Read<Wire<typeof todayLinkifier>[]> =>
  mapRead(linkifiers.listRead(realmId), (all) => all.map(wireLinkifier));

export const realmDomainsRead = (realmId: RealmId): Read<Wire<typeof realmDomain>[]> =>
  mapRead(domains.listRead(realmId), (all) => all.map(wireDomain));

export type AddressVerdict = ReturnType<typeof admitsAddress>;

/** For users only: bots have no address of their own. */
export async function judgeAddresses(db: Database, realm: Realm): Promise<(email: string) => AddressVerdict> {
  if (!realm.settings.emails_restricted_to_domains) return () => 'admitted';
  const listed = await domains.list(db, realm.id);
  return (email) => admitsAddress(listed, email);
}

export async function checkAddress(db: Database, realmId: RealmId, email: string): Promise<void> {
  const verdict = (await judgeAddresses(db, (await realms.byId(db, realmId))!))(email);
  if (verdict === 'alias') throw aliasNotAllowed();
  if (verdict === 'foreign') throw addressNotAllowed(email);
}
