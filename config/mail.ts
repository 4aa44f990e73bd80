/** How mail is sent, and how long its links work. */
import { mailbox, milliseconds, rate, url, variable, whole, type RateRule } from './kinds';

export const mail = {
  smtpUrl: variable(
    'SMTP_URL',
    url('smtp', 'smtps'),
    '',
    'Mail server, such as smtp://user:password@mail.example.com:587. Empty: production sends no mail, and refuses what ' +
      'needs it; development shows mail in the log and at /development/emails.',
  ),
  mailFrom: variable('MAIL_FROM', mailbox, '', 'Sender of all mail; set together with SMTP_URL.'),
  mailCallMs: variable('MAIL_CALL_MS', milliseconds, 20_000, 'Deadline for handing one mail to the mail server.'),
  mailRetryMs: variable(
    'MAIL_RETRY_MS',
    milliseconds,
    30_000,
    'Pause before the second attempt to send a mail; doubles with each further one.',
  ),
  mailGiveUpMs: variable(
    'MAIL_GIVE_UP_MS',
    milliseconds,
    14_400_000,
    'A mail that no server took for so long has failed, and waits among the dead letters.',
  ),
  missedMailMs: variable(
    'MISSED_MAIL_MS',
    milliseconds,
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
  passwordResetMs: variable(
    'PASSWORD_RESET_MS',
    milliseconds,
    3_600_000,
    'For so long the link in a mail sets a new password.',
  ),
  passwordResetLimit: variable(
    'PASSWORD_RESET_LIMIT',
    rate,
    { seconds: 3600, requests: 5 } as RateRule | null,
    'Mails for new passwords or from reusable invitations: for one address of mail and, tenfold, from one network address.',
  ),
} as const;
