/** Sends mail by SMTP. Without SMTP_URL, a development server writes it to the log, and production sends none. */
import type { Log } from '../log';
import type { Letter } from './letter';
import type { OpenSmtp, SendLetter, SmtpSettings } from './smtp';

export interface Mailer {
  /** `shown`: letters go to the log and a page, but are not sent. `off`: mail cannot be requested. */
  readonly mode: 'smtp' | 'shown' | 'off';
  send(letter: Letter): Promise<void>;
}

export interface MailerSettings extends SmtpSettings {
  readonly nodeEnv: 'development' | 'test' | 'production';
}

export function openMailer(settings: MailerSettings, log: Log): Mailer {
  if (settings.smtpUrl !== '') return { mode: 'smtp', send: openLate(settings) };
  if (settings.nodeEnv === 'production') {
    return { mode: 'off', send: () => Promise.reject(new Error('SMTP_URL is not set: no mail is sent')) };
  }
  // Not censored: developers need the link in a letter.
  const letters = log.child({}, { formatters: { log: (fields) => fields } });
  return {
    mode: 'shown',
    send({ to, subject, text }) {
      letters.info({ to, subject, text }, 'mail is shown, not sent: SMTP_URL is not set');
      return Promise.resolve();
    },
  };
}

/** Loaded with the first letter: most processes never send one. */
function openLate(settings: SmtpSettings): SendLetter {
  let send: SendLetter | undefined;
  return (letter) => {
    send ??= (require('./smtp') as { openSmtp: OpenSmtp }).openSmtp(settings);
    return send(letter);
  };
}
