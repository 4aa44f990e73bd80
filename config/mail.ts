/** How mail is sent, and how long its links work. */
import { host, limit, mailbox, ms, privateKey, text, url, variable, whole } from './kinds';

export const mail = {
  smtpUrl: variable(
    'SMTP_URL',
    url('smtp', 'smtps'),
    '',
    'Mail server, such as smtp://user:password@mail.example.com:587. Empty: production sends no mail, and refuses what ' +
      'needs it; development shows mail in the log and at /development/emails.',
  ),
  mailFrom: variable('MAIL_FROM', mailbox, '', 'Sender of all mail; set together with SMTP_URL.'),
  mailDkimDomain: variable(
    'MAIL_DKIM_DOMAIN',
    host,
    '',
    'Domain whose DKIM key signs all mail; set together with MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY. Empty: the server ' +
      'that takes the mail signs it, or nobody does.',
  ),
  mailDkimSelector: variable(
    'MAIL_DKIM_SELECTOR',
    text,
    '',
    'The name below _domainkey at which the key is published.',
  ),
  mailDkimKey: {
    ...variable('MAIL_DKIM_KEY', privateKey, '', 'The private key as PEM; line breaks may be written as \\n.'),
    secret: true,
  },
  mailCallMs: ms('MAIL_CALL_MS', 20_000, 'Deadline for handing one mail to the mail server.'),
  mailRetryMs: ms(
    'MAIL_RETRY_MS',
    30_000,
    'Pause before the second attempt to send a mail; doubles with each further one.',
  ),
  mailGiveUpMs: ms(
    'MAIL_GIVE_UP_MS',
    14_400_000,
    'A mail that no server took for so long has failed, and waits among the dead letters.',
  ),
  missedMailMs: ms(
    'MISSED_MAIL_MS',
    180_000,
    'Mentions and private messages that a user missed are gathered for so long before they are mailed.',
  ),
  invitationDays: variable('INVITATION_DAYS', whole(1, 365), 10, 'Days for which an invitation can be accepted.'),
  invitationsPerDay: variable(
    'INVITATIONS_PER_DAY',
    whole(1, 1_000_000),
    500,
    'Most invitations that one organisation mails in 24 hours.',
  ),
  passwordResetMs: ms('PASSWORD_RESET_MS', 3_600_000, 'For so long the link in a mail sets a new password.'),
  passwordResetLimit: limit(
    'PASSWORD_RESET_LIMIT',
    '3600:5',
    'Mails for new passwords or from reusable invitations: for one address of mail and, tenfold, from one network address.',
  ),
} as const;
