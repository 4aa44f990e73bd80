/** The texts of mails with sign-in links. */
import type { CompanyId } from '../companies/company';

export interface SignInLetter {
  readonly purpose: 'sign-in';
  readonly email: string;
  /** The address is spelled as it is stored, and other spellings get mails of their own. */
  readonly isStored?: boolean;
}

/** A mail to request: sign-in links for an address, or an invitation for a contact. */
export type PortalLetter =
  | SignInLetter
  | { readonly purpose: 'invitation'; readonly companyId: CompanyId; readonly contactId: string };

/** A company and its sign-in link. */
export interface Way {
  readonly company: string;
  readonly link: string;
}

interface Words {
  readonly subject: string;
  readonly text: string;
}

/** Removes line breaks, so that a name cannot inject a line into a mail or its headers. */
const inLine = (name: string): string => name.replaceAll(/\s+/g, ' ').slice(0, 100);

const listed = (ways: readonly Way[]): string =>
  ways.map(({ company, link }) => `${inLine(company)}:\n${link}`).join('\n\n');

export const signInLetter = (ways: readonly Way[]): Words => ({
  subject: 'Sign in to the telephony portal',
  text: [
    'Somebody, probably you, asked for a link into the telephony portal.',
    listed(ways),
    'A link works once, for 30 minutes. If you did not ask for it, ignore this mail.',
    '',
  ].join('\n\n'),
});

export const invitationLetter = (way: Way, firstName: string): Words => ({
  subject: `Your access to the telephony portal of ${inLine(way.company)}`,
  text: [
    `Hello ${inLine(firstName)},`,
    `${inLine(way.company)} gave you access to its telephony portal. This link signs you in and lets you choose a password:`,
    way.link,
    'The link works once, for 7 days.',
    '',
  ].join('\n\n'),
});
