/** A user of a company. */
import { noAddress, type CompanyId } from '../companies/company';

declare const contact: unique symbol;
export type ContactId = string & { readonly [contact]: true };

/** The principal of a request. A key belongs to one company and may act as any of its contacts. */
export interface Caller {
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
  /** The primary contact owns the company. */
  readonly isOwner: boolean;
  /** The IP address of the request. */
  readonly from: string;
  /** Signed in at the portal, as a person. Programs use the company's key. */
  readonly isAtPortal?: boolean;
}

/** Names a caller for limits and turns. */
export const callerKey = ({ companyId, contactId }: Pick<Caller, 'companyId' | 'contactId'>): string =>
  `tel:${companyId}:${contactId}`;

export const noContactDetails = {
  address: noAddress,
  birthdate: '',
  contacts: { email: '', fax: '', phones: { home: '', mobile: '', other: '', work: '' } },
  description: '',
  emergency_contact_number: '',
  primary_agent: '',
  timezone: '',
  title: '',
};

export type ContactDetails = Readonly<typeof noContactDetails>;

export interface ContactNames {
  readonly workEmail: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Accepted by a token that is shown once. A contact without a token counts as accepted. */
export interface Invitation {
  readonly issuedAt: Date | null;
  readonly endsAt: Date | null;
  readonly acceptedAt: Date | null;
}

export interface Contact extends ContactNames {
  readonly id: ContactId;
  readonly companyId: CompanyId;
  readonly isPrimary: boolean;
  readonly isActivated: boolean;
  readonly details: ContactDetails;
  readonly invitation: Invitation;
  readonly lastEnterAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewContact extends ContactNames {
  readonly id: ContactId;
  readonly companyId: CompanyId;
  readonly isPrimary: boolean;
  readonly isActivated?: boolean;
  readonly details?: ContactDetails;
  /** Without an invitation, the contact counts as having accepted. */
  readonly invitation?: { readonly hash: string; readonly lastsMs: number };
}

export const INVITATION_MS = 7 * 24 * 3_600_000;

export function invitationStatus({ acceptedAt, endsAt }: Invitation, now: Date): 'accepted' | 'expired' | 'pending' {
  if (acceptedAt !== null) return 'accepted';
  return endsAt !== null && endsAt <= now ? 'expired' : 'pending';
}

/** The text that searches and sorting by user use. */
export const userText = ({ firstName, lastName, workEmail }: ContactNames): string =>
  `${firstName} ${lastName} ${workEmail}`.toLowerCase().slice(0, 300);
