/** Sends mail by SMTP. Without SMTP_URL, a development server writes it to the log, and production sends none. */
import type * as Nodemailer from 'nodemailer';
import { withDeadline } from '../deadline';
import type { Log } from '../log';
import { type Letter, MailRefused } from './letter';

export interface Mailer {
  /** `shown`: letters go to the log and a page, but are not sent. `off`: mail cannot be requested. */
  readonly mode: 'smtp' | 'shown' | 'off';
  send(letter: Letter): Promise<void>;
}

export interface MailerSettings extends SmtpSettings {
  readonly nodeEnv: 'development' | 'test' | 'production';
}

export const mailModeOf = ({ smtpUrl, nodeEnv }: Pick<MailerSettings, 'nodeEnv' | 'smtpUrl'>): Mailer['mode'] =>
  smtpUrl !== '' ? 'smtp' : nodeEnv === 'production' ? 'off' : 'shown';

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

/** Opened with the first letter: most processes never send one. */
function openLate(settings: SmtpSettings): SendLetter {
  let send: SendLetter | undefined;
  return (letter) => (send ??= openSmtp(settings))(letter);
}

export interface SmtpSettings {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly mailCallMs: number;
  /** Letters are signed (DKIM) if all three are set. */
  readonly mailDkimDomain: string;
  readonly mailDkimSelector: string;
  readonly mailDkimKey: string;
}

type SendLetter = (letter: Letter) => Promise<void>;

/** Sends letters by SMTP: one connection for each letter, and a deadline for the whole exchange. */
function openSmtp(settings: SmtpSettings): SendLetter {
  const { smtpUrl, mailFrom, mailCallMs } = settings;
  const { createTransport } = require('nodemailer') as typeof Nodemailer;
  const mail = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: mailCallMs,
      greetingTimeout: mailCallMs,
      // Ends a connection that the deadline below has given up on.
      socketTimeout: mailCallMs,
      dnsTimeout: mailCallMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...dkimOf(settings),
    },
    { from: mailFrom },
  );
  return async ({ to, threadId, ...letter }) => {
    const thread = threadId === undefined ? {} : { inReplyTo: threadId, references: threadId };
    const sent = mail.sendMail({ ...letter, ...thread, to: { name: '', address: to } });
    try {
      await withDeadline('The mail server', mailCallMs, sent);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
}

const dkimOf = ({ mailDkimDomain, mailDkimSelector, mailDkimKey }: SmtpSettings) =>
  mailDkimKey === ''
    ? {}
    : { dkim: { domainName: mailDkimDomain, keySelector: mailDkimSelector, privateKey: mailDkimKey } };

interface SmtpError {
  readonly message: string;
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** These errors concern the letter: its addresses or content. Others concern the server, network or settings. */
const ABOUT_LETTER: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
/** The commands came in the wrong order, which the next connection may get right. */
const BAD_SEQUENCE = 503;

function refusalOf(error: unknown): MailRefused | undefined {
  const { message, code = '', responseCode, response } = error as SmtpError;
  if (!ABOUT_LETTER.has(code)) return undefined;
  const isPermanent = responseCode === undefined || (responseCode >= 500 && responseCode !== BAD_SEQUENCE);
  return isPermanent ? new MailRefused(response ?? message, error) : undefined;
}
