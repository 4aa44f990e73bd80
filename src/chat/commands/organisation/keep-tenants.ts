/** Organisations as tenants that operators manage. */
import type { Tenant } from '../../../kernel/actor/address';
import type { TenantKeeper, TenantLine } from '../../../kernel/tenants';
import { RealmDirectory } from '../../caches/realm-directory';
import { rootDomainOf } from '../../model/organisation/address';
import { realmOf, realmTenant, type RealmId } from '../../model/organisation/realm';
import type { ChatSettings } from '../../settings';
import * as sizes from '../../store/organisation/realm-sizes';
import { createRealm, deactivateRealmIn, reactivateRealmIn } from './realms';

const isNumber = (text: string): boolean => /^\d{1,9}$/.test(text);

export const organisationKeeper = (settings: ChatSettings): TenantKeeper => ({
  kind: 'organisation',
  fields: ['subdomain'],
  limits: ['people'],
  async list({ mysql }, { search, after, limit }) {
    if (after !== undefined && !isNumber(after)) return [];
    const wanted = { search, limit, after: after === undefined ? undefined : Number(after) };
    return (await sizes.list(mysql, wanted)).map(lineOf);
  },
  async get({ mysql }, id) {
    const [found] = isNumber(id) ? await sizes.list(mysql, { ids: [Number(id)], limit: 1 }) : [];
    return found && lineOf(found);
  },
  async names({ mysql }, tenants) {
    const ids = tenants.flatMap((tenant) => (/^chat:\d{1,9}$/.test(tenant) ? realmOf(tenant as Tenant) : []));
    return new Map((await sizes.named(mysql, ids)).map(({ id, name }) => [realmTenant(id), name]));
  },
  async add(kernel, { name, fields: { subdomain = '' } }) {
    const { publicUrl, externalHost } = settings;
    // Used only to publish the announcement, which this node receives like all others.
    const realms = new RealmDirectory(kernel, { publicUrl, rootDomain: rootDomainOf(externalHost, publicUrl) });
    const id = await createRealm({ realms, transaction: kernel.transaction }, { name, description: '', subdomain });
    return { id: String(id), tenant: realmTenant(id), key: null, invitation: null };
  },
  setActive(tx, id, isActive) {
    const realmId = Number(id) as RealmId;
    return isActive ? reactivateRealmIn(tx, realmId) : deactivateRealmIn(tx, realmId);
  },
});

const lineOf = (size: sizes.RealmSize): TenantLine => ({
  id: String(size.id),
  tenant: realmTenant(size.id),
  name: size.name,
  address: size.subdomain,
  isActive: size.isActive,
  createdAt: size.createdAt,
  lastActiveAt: size.lastSentAt,
  sizes: { people: size.people, bots: size.bots, messages: size.messages, uploaded_bytes: size.uploadedBytes },
});
