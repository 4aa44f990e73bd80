/** An organisation: the tenant of everything in chat. */
import { tenantOf, type Tenant } from '../../../kernel/actor/address';
import type { RealmPictures } from '../uploads/realm-picture';
import type { RealmSettings } from './realm-settings';

declare const realm: unique symbol;
export type RealmId = number & { readonly [realm]: true };

export interface Realm {
  readonly id: RealmId;
  readonly subdomain: string;
  readonly name: string;
  /** Plain text, sent as HTML. */
  readonly description: string;
  readonly isActive: boolean;
  readonly settings: RealmSettings;
  readonly pictures: RealmPictures;
  /** Until when people joined whom clients know as full members. Null: nobody was told yet. */
  readonly fullMembersUntil: Date | null;
}

export const realmTenant = (id: RealmId): Tenant => tenantOf('chat', id);

/** The organisation of a chat tenant. */
export const realmOf = (tenant: Tenant): RealmId => Number(tenant.slice(tenant.indexOf(':') + 1)) as RealmId;
