/** The texts of mails with sign-in links. */
import { button, paragraph, smallPrint, type Written, written } from '../../../kernel/mail/written';
import type { CompanyId } from '../companies/company';
import type { TelephonyWords } from '../texts/telephony-words';

interface Requested {
  /** Of the browser in which the letter was requested. */
  readonly language?: string;
}

export interface SignInLetter extends Requested {
  readonly purpose: 'sign-in';
  readonly email: string;
  /** The address is spelled as it is stored, and other spellings get mails of their own. */
  readonly isStored?: boolean;
}

/** A mail to request: sign-in links for an address, or an invitation for a contact. */
export type PortalLetter =
  | SignInLetter
  | (Requested & { readonly purpose: 'invitation'; readonly companyId: CompanyId; readonly contactId: string });

/** A company and its sign-in link. */
export interface Way {
  readonly company: string;
  readonly link: string;
}

/** Removes line breaks, so that a name cannot inject a line into a mail or its headers. */
const inLine = (name: string): string => name.replaceAll(/\s+/g, ' ').slice(0, 100);

export function signInLetter({ language, say }: TelephonyWords, ways: readonly Way[]): Written {
  const links = ways.map(({ company, link }) => {
    const name = inLine(company);
    const { html } = button(say('mail.signIn.button', { company: name }), link);
    return { text: `${name}:\n${link}`, html };
  });
  const parts = [paragraph(say('mail.signIn.said')), ...links, smallPrint(say('mail.signIn.until'))];
  return written({ language, subject: say('mail.signIn.subject'), parts });
}

export function invitationLetter({ language, say }: TelephonyWords, way: Way, firstName: string): Written {
  const company = inLine(way.company);
  return written({
    language,
    subject: say('mail.invitation.subject', { company }),
    parts: [
      paragraph(say('mail.invitation.hello', { name: inLine(firstName) })),
      paragraph(say('mail.invitation.said', { company })),
      button(say('mail.invitation.button'), way.link),
      smallPrint(say('mail.invitation.until')),
    ],
  });
}
