/** Sign-in to the portal: sessions of contacts, and one-time links. */
import { sessionCookie } from '../../../kernel/sessions/page-session';
import type { CompanyId } from '../companies/company';
import type { ContactId } from '../contacts/contact';

declare const session: unique symbol;
export type SessionId = number & { readonly [session]: true };

export const OPENED_BY = ['password', 'link', 'key', 'demo'] as const;
/** How the contact authenticated. */
export type OpenedBy = (typeof OPENED_BY)[number];

export interface Session {
  readonly id: SessionId;
  readonly agent: string;
  readonly address: string;
  readonly openedBy: OpenedBy;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** A text that a company's users send repeatedly. */
export interface TextTemplate {
  readonly id: string;
  readonly text: string;
}

export const PORTAL_COOKIE = sessionCookie('partyline_portal');

/** A requested link is used soon; an invitation may lie in a mailbox for days. */
export const ENTRY_LINK_MS = { 'sign-in': 30 * 60_000, invitation: 7 * 24 * 3_600_000 } as const;
export type EntryPurpose = keyof typeof ENTRY_LINK_MS;
export const ENTRY_TOKEN_LENGTH = 43;

/** The token is in the URL fragment, which browsers do not send, so no log contains it. */
export const entryAddress = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/portal/enter#${token}`;

/** How many companies of one address sign-in considers. */
export const MAX_COMPANIES = 10;

/** A contact that an email address belongs to. */
export interface Candidate {
  readonly contactId: ContactId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  /** As stored. */
  readonly workEmail: string;
  readonly passwordHash: string | null;
}
