/** The columns that chat's mail tables have in common. */
import { realmTenant, type RealmId } from '../model/organisation/realm';

export const REALM_MAIL = {
  tenant: 'realm_id',
  tenantOf: (id: unknown) => realmTenant(id as RealmId),
  reason: 'error',
  maxReasonLength: 1000,
  dueAt: 'due_at',
} as const;
