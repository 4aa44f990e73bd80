/** Schemas of organisations and companies as operators see them. */
import { z } from 'zod';

const time = z.string().meta({ format: 'date-time' });

export const tenant = z
  .object({
    kind: z.string(),
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    address: z.string().meta({ description: 'The subdomain of an organisation' }),
    is_active: z.boolean(),
    created_at: time,
    last_active_at: time.nullable(),
    sizes: z.record(z.string(), z.number()),
    limits: z.record(z.string(), z.int().nullable()).meta({ description: 'Null means unlimited' }),
  })
  .meta({ id: 'Tenant' });

const kind = z
  .object({ kind: z.string(), fields: z.array(z.string()), limits: z.array(z.string()) })
  .meta({ id: 'TenantKind' });

export const tenantsAnswer = z.object({ kinds: z.array(kind), tenants: z.array(tenant) });
export const tenantAdded = z.object({
  kind: z.string(),
  id: z.string(),
  tenant: z.string(),
  key: z.string().nullable().meta({ description: 'The API key of a company, shown only once' }),
});
