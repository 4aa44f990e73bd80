/** The words of letters with links into the portal. */
import type { CompanyId } from '../companies/company';

/** A letter with links into the portal: to whoever has this address, or an invitation to a contact. */
export type PortalLetter =
  | { readonly purpose: 'sign-in'; readonly email: string }
  | { readonly purpose: 'invitation'; readonly companyId: CompanyId; readonly contactId: string };

/** A company, and the link that leads into it. */
export interface Way {
  readonly company: string;
  readonly link: string;
}

interface Words {
  readonly subject: string;
  readonly text: string;
}

/** A name must not begin another line of a letter, or of its head. */
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
