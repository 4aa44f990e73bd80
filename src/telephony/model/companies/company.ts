/** A company: the tenant of all telephony data. */
import { tenantOf, type Tenant } from '../../../kernel/actor/address';

declare const company: unique symbol;
export type CompanyId = string & { readonly [company]: true };

export interface Address {
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly number: string;
  readonly state: string;
  readonly street: { readonly name: string; readonly number: number; readonly type: string };
  readonly zip: string;
}

/** What the owner may change. */
export interface CompanyDetails {
  readonly address: Address;
  readonly affiliate: boolean;
  readonly billing_email: string;
  readonly description: string;
  readonly email: string;
  readonly emergency_contact_number: string;
  readonly fax: string;
  readonly onboarding: boolean;
  readonly partner_id: string;
  readonly phone: string;
  readonly revenue: number;
  readonly website: string;
}

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

export const noAddress: Address = {
  address2: '',
  city: '',
  country: '',
  number: '',
  state: '',
  street: { name: '', number: 0, type: '' },
  zip: '',
};

export const noDetails: CompanyDetails = {
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
