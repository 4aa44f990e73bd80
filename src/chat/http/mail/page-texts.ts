/** The texts of the pages behind links in mail, in the languages of the web client. */
import { invalidLink } from '../../model/accounts/invitation';
import { notAnEmail, passwordsDisabled } from '../../model/faults';
import { nameTooShort, passwordTooWeak } from '../../model/users/user-faults';

const ENGLISH = {
  language: 'en',
  email: 'Email address',
  fullName: 'Your name',
  password: 'New password',
  join: 'Join',
  joinOf: (organisation: string) => `Join ${organisation}`,
  joinAs: (email: string) => `Your address: ${email}`,
  requestInvitation: 'Send me an invitation',
  lookAtMail: 'Look at your mail',
  sent: 'If this address can be used here, a mail with a link is on its way to it.',
  newPassword: 'Get a new password',
  requestPassword: 'Send me a link',
  newPasswordFor: (email: string) => `A new password for ${email}`,
  setPassword: 'Set the password',
  passwordIsSet: 'The password is set',
  useIt: 'You can sign in with it now.',
  newEmail: (email: string) => `Use ${email} from now on`,
  confirmEmail: 'Confirm the address',
  emailIsSet: 'The address is changed',
  signInAs: (email: string) => `You sign in as ${email} from now on.`,
  noMoreMail: {
    missed: (email: string) => `No more mail about missed messages to ${email}`,
    digest: (email: string) => `No more weekly mail to ${email}`,
  },
  unsubscribe: 'Unsubscribe',
  unsubscribed: 'Unsubscribed',
  isUnsubscribed: {
    missed: 'You get no more mail about missed messages.',
    digest: 'You get no more weekly mail.',
  },
  notSent: 'Mail that was not sent',
  noMail: 'There is none yet.',
  failed: 'That did not work',
  retry: 'Try again',
  back: 'Back to the chat',
  /** Translations of the API's messages. */
  refusals: {} as Readonly<Record<string, string>>,
};

export type PageTexts = typeof ENGLISH;

const GERMAN: PageTexts = {
  language: 'de',
  email: 'E-Mail-Adresse',
  fullName: 'Ihr Name',
  password: 'Neues Passwort',
  join: 'Beitreten',
  joinOf: (organisation) => `${organisation} beitreten`,
  joinAs: (email) => `Ihre Adresse: ${email}`,
  requestInvitation: 'Einladung senden',
  lookAtMail: 'Sehen Sie in Ihrem Postfach nach',
  sent: 'Falls diese Adresse hier verwendet werden kann, ist eine E-Mail mit einem Link an sie unterwegs.',
  newPassword: 'Ein neues Passwort anfordern',
  requestPassword: 'Link senden',
  newPasswordFor: (email) => `Ein neues Passwort für ${email}`,
  setPassword: 'Passwort setzen',
  passwordIsSet: 'Das Passwort ist gesetzt',
  useIt: 'Sie können sich jetzt damit anmelden.',
  newEmail: (email) => `Ab jetzt ${email} verwenden`,
  confirmEmail: 'Adresse bestätigen',
  emailIsSet: 'Die Adresse ist geändert',
  signInAs: (email) => `Sie melden sich ab jetzt als ${email} an.`,
  noMoreMail: {
    missed: (email) => `Keine E-Mails über verpasste Nachrichten mehr an ${email}`,
    digest: (email) => `Keine wöchentlichen E-Mails mehr an ${email}`,
  },
  unsubscribe: 'Abbestellen',
  unsubscribed: 'Abbestellt',
  isUnsubscribed: {
    missed: 'Sie erhalten keine E-Mails über verpasste Nachrichten mehr.',
    digest: 'Sie erhalten keine wöchentlichen E-Mails mehr.',
  },
  notSent: 'E-Mails, die nicht gesendet wurden',
  noMail: 'Es gibt noch keine.',
  failed: 'Das hat nicht geklappt',
  retry: 'Noch einmal versuchen',
  back: 'Zurück zum Chat',
  refusals: {
    [invalidLink().message]: 'Dieser Link ist ungültig, abgelaufen oder schon verwendet worden.',
    [passwordTooWeak().message]: 'Das neue Passwort ist zu leicht zu erraten.',
    [nameTooShort().message]: 'Der Name ist zu kurz.',
    [notAnEmail().message]: 'Das ist keine E-Mail-Adresse.',
    [passwordsDisabled().message]: 'Hier meldet man sich ohne Passwort an.',
  },
};

const LANGUAGES = [ENGLISH, GERMAN];

/** The browser's first language that is available. */
export function textsFor(acceptLanguage: string): PageTexts {
  const wanted = acceptLanguage.split(',', 10).map((each) => each.trim().toLowerCase().split(/[-;]/)[0]);
  const known = wanted.flatMap((each) => LANGUAGES.find(({ language }) => language === each) ?? []);
  return known[0] ?? ENGLISH;
}

export const textsOf = (language: unknown): PageTexts =>
  LANGUAGES.find((each) => each.language === language) ?? ENGLISH;
