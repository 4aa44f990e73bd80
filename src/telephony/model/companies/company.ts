/** A company: the tenant of all telephony data. */
import { tenantOf, type Tenant } from '../../../kernel/actor/address';

declare const company: unique symbol;
export type CompanyId = string & { readonly [company]: true };

export const noAddress = {
  address2: '',
  city: '',
  country: '',
  number: '',
  state: '',
  street: { name: '', number: 0, type: '' },
  zip: '',
};

export const noDetails = {
  address: noAddress,
  affiliate: false,
  billing_email: '',
  description: '',
  email: '',
  emergency_contact_number: '',
  fax: '',
  onboarding: false,
  partner_id: '',
  phone: '',
  revenue: 0,
  website: '',
};

/** What the owner may change. */
export type CompanyDetails = Readonly<typeof noDetails>;

export interface Company {
  readonly id: CompanyId;
  readonly name: string;
  readonly status: string;
  readonly details: CompanyDetails;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const KEY_LENGTH = 40;

export const companyTenant = (id: CompanyId): Tenant => tenantOf('tel', id);

/** Undefined for tenants of other products. */
export const companyIdOf = (tenant: string): CompanyId | undefined =>
  tenant.startsWith('tel:') ? (tenant.slice('tel:'.length) as CompanyId) : undefined;
