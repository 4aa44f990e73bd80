/** Types of the tenants API. */
import { t, type TextKey } from '../../shared/texts/texts';

export interface Kind {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly limits: readonly string[];
}

export interface TenantRow {
  readonly kind: string;
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly address: string;
  readonly is_active: boolean;
  readonly last_active_at: string | null;
  readonly sizes: Readonly<Record<string, number>>;
  readonly limits: Readonly<Record<string, number | null>>;
}

/** Products name the kinds, fields, sizes and limits. Names without a translation are shown as they are. */
const WORDS: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['organisation', 'tenant.organisation'],
  ['company', 'tenant.company'],
  ['subdomain', 'tenant.subdomain'],
  ['owner_email', 'tenant.ownerEmail'],
  ['people', 'tenant.people'],
  ['bots', 'tenant.bots'],
  ['messages', 'tenant.messages'],
  ['uploaded_bytes', 'tenant.uploaded'],
  ['extensions', 'tenant.extensions'],
  ['conversations', 'tenant.conversations'],
]);

export function wordFor(name: string): string {
  const key = WORDS.get(name);
  return key ? t(key) : name;
}

export const pathOf = ({ kind, id }: Pick<TenantRow, 'kind' | 'id'>): string =>
  `/tenants/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
