/** Mails sign-in links for the portal. Any number of workers may run it. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { portalLetters } from '../actors/mailboxes';
import { mailEntryLinks } from '../commands/portal/mail-entry-links';
import type { Telephony } from '../parts';

export const portalMail = (telephony: Telephony) =>
  mailboxWorker(portalLetters, { handle: each((_turn, mail) => mailEntryLinks(telephony, mail)) });
