/** The limits that operators set for a tenant. Without a row there is no limit. */
import type { Knex } from 'knex';
import type { Tenant } from '../actor/address';

export async function limitOf(db: Knex, tenant: Tenant, name: string): Promise<number | null> {
  const row = (await db('kernel_tenant_limits').where({ tenant, name }).first('most')) as { most: number } | undefined;
  return row?.most ?? null;
}

export interface TenantLimit {
  readonly tenant: Tenant;
  readonly name: string;
  readonly most: number;
}

export async function limitsOf(db: Knex, tenants: readonly Tenant[]): Promise<TenantLimit[]> {
  return (await db('kernel_tenant_limits')
    .whereIn('tenant', tenants)
    .select('tenant', 'name', 'most')) as TenantLimit[];
}

/** Null removes the limit. */
export async function setLimit(db: Knex, tenant: Tenant, name: string, most: number | null): Promise<void> {
  await db('kernel_tenant_limits').where({ tenant, name }).delete();
  if (most !== null) await db('kernel_tenant_limits').insert({ tenant, name, most });
}
