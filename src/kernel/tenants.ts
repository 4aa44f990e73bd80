/** The interface through which operators manage a product's tenants: size, activity and limits, but no content. */
import type { Kernel, Storage } from './kernel';
import type { Tx } from './mysql/transaction';
import type { Tenant } from './actor/address';
import type { Keyspace } from './redis/connections';

type Parts = Storage & Keyspace & Pick<Kernel, 'channel' | 'log'>;

export interface TenantLine {
  /** The product's id for it. */
  readonly id: string;
  readonly tenant: Tenant;
  readonly name: string;
  /** Distinguishes tenants of the same name: a subdomain, or empty. */
  readonly address: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastActiveAt: Date | null;
  /** Counts by name: people, messages and so on. */
  readonly sizes: Readonly<Record<string, number>>;
}

export interface TenantSearch {
  /** Part of the name or of the address. */
  readonly search?: string | undefined;
  /** Only tenants with a greater id. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface TenantAdded {
  readonly id: string;
  readonly tenant: Tenant;
  /** The key of its first user, shown only once; null if there is none. */
  readonly key: string | null;
  readonly invitation: OwnerInvitation | null;
}

/** How the owner of a tenant gets in. */
export interface OwnerInvitation {
  readonly email: string;
  /** The link to hand over, if the server sends no mail; null if it was mailed. */
  readonly link: string | null;
}

export interface TenantDraft {
  readonly name: string;
  /** The fields that its kind requires. */
  readonly fields: Readonly<Record<string, string>>;
  /** As the browser of whoever adds it asks for, for an invitation. */
  readonly language: string;
}

export interface TenantKeeper {
  /** In the singular, as it appears in URLs. */
  readonly kind: string;
  /** What a new tenant needs besides its name. */
  readonly fields: readonly string[];
  /** The limits that operators can set. */
  readonly limits: readonly string[];
  /** Ordered by id. */
  list(kernel: Pick<Kernel, 'mysql'>, search: TenantSearch): Promise<TenantLine[]>;
  get(kernel: Pick<Kernel, 'mysql'>, id: string): Promise<TenantLine | undefined>;
  /** The names of these tenants, by tenant. Those of other kinds are left out. */
  names(kernel: Pick<Kernel, 'mysql'>, tenants: readonly string[]): Promise<ReadonlyMap<string, string>>;
  add(kernel: Parts, draft: TenantDraft): Promise<TenantAdded>;
  /** Invites the owner once more. Missing if its kind has no owners to invite. */
  readonly invite?: (kernel: Parts, id: string, language: string) => Promise<OwnerInvitation>;
  setActive(tx: Tx, id: string, isActive: boolean): Promise<void>;
}
