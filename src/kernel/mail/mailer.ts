/** How mail leaves this process: by SMTP; on a development server into the log; otherwise not at all. */
import type { Log } from '../log';
import type { Letter } from './letter';
import type { OpenSmtp, SendLetter, SmtpSettings } from './smtp';

export interface Mailer {
  /** `shown`: letters are written to the log and a page, and sent nowhere. `off`: nobody may ask for mail. */
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
  // Nothing is censored here: without its link, a letter is of no use to developers.
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
