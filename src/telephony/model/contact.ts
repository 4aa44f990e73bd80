/** A user of a company. */
import type { CompanyId } from './company';

declare const contact: unique symbol;
export type ContactId = string & { readonly [contact]: true };

/** Who a request acts as: every key belongs to one company, and any of its contacts can be acted as. */
export interface Caller {
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
  /** The primary contact owns the company. */
  readonly isOwner: boolean;
}

export interface NewContact {
  readonly id: ContactId;
  readonly companyId: CompanyId;
  readonly isPrimary: boolean;
  readonly workEmail: string;
  readonly firstName: string;
  readonly lastName: string;
}
