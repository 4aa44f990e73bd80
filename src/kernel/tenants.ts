/** How a product lets operators look after those who use it: size, activity and limits, nothing of their contents. */
import type { Kernel } from './kernel';
import type { Tx } from './mysql/transaction';
import type { Tenant } from './actor/address';

export interface TenantLine {
  /** As its product knows it. */
  readonly id: string;
  readonly tenant: Tenant;
  readonly name: string;
  /** What tells it from others of the name: a subdomain, or nothing. */
  readonly address: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastActiveAt: Date | null;
  /** How many people, messages and so on it has, by name. */
  readonly sizes: Readonly<Record<string, number>>;
}

export interface TenantSearch {
  /** A part of the name or of the address. */
  readonly search?: string | undefined;
  /** Only those behind this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface TenantAdded {
  readonly id: string;
  readonly tenant: Tenant;
  /** What its first user needs, shown this once; null where nothing is. */
  readonly key: string | null;
}

export interface TenantKeeper {
  /** In the singular, as it stands in addresses. */
  readonly kind: string;
  /** What has to be said of a new one, beside its name. */
  readonly fields: readonly string[];
  /** What can be limited. */
  readonly limits: readonly string[];
  /** In the order of their ids. */
  list(kernel: Kernel, search: TenantSearch): Promise<TenantLine[]>;
  get(kernel: Kernel, id: string): Promise<TenantLine | undefined>;
  add(kernel: Kernel, name: string, fields: Readonly<Record<string, string>>): Promise<TenantAdded>;
  setActive(kernel: Kernel, tx: Tx, id: string, isActive: boolean): Promise<void>;
}
