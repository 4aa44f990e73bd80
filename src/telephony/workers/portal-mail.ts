/** Sends links into the portal by mail. Any number of workers may run it. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { mailEntryLinks } from '../commands/portal/mail-entry-links';
import { sendPortalLetter } from '../jobs';
import type { Telephony } from '../parts';

/** Connections to the mail server that one worker has at a time. */
const CONCURRENCY = 4;

export const portalMail = (telephony: Telephony): Consumer<{ readonly letterId: string }, void> =>
  consume(sendPortalLetter, {
    concurrency: CONCURRENCY,
    run: (_kernel, { letterId }) => mailEntryLinks(telephony, letterId),
  });
