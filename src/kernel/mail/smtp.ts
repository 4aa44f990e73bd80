/** Sends letters by SMTP: one connection for each letter, and a deadline for the whole exchange. */
import { createTransport } from 'nodemailer';
import { withDeadline } from '../deadline';
import { MailRefused, type Letter } from './letter';

export interface SmtpSettings {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly mailCallMs: number;
}

export type SendLetter = (letter: Letter) => Promise<void>;
export type OpenSmtp = (settings: SmtpSettings) => SendLetter;

export const openSmtp: OpenSmtp = ({ smtpUrl, mailFrom, mailCallMs }) => {
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
    },
    { from: mailFrom },
  );
  return async ({ to, subject, text, messageId, headers = {} }) => {
    const letter = { to: { name: '', address: to }, subject, text, headers, ...(messageId ? { messageId } : {}) };
    try {
      await withDeadline('The mail server', mailCallMs, mail.sendMail(letter));
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
};

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
