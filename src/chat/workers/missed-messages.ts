/** Mails people what they missed. Any number of workers may run it: the lease lets one at a time. */
import { mailMissedMessages } from '../commands/mail/mail-missed-messages';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';

const missed = defineJob<null>('chat-missed-messages', { attempts: 1, backoffMs: 1000 });

/** Often enough that nobody waits for much longer than MISSED_MAIL_MS. */
const TURNS_MEANWHILE = 10;
const LONGEST_PAUSE_MS = 15_000;
const SHORTEST_PAUSE_MS = 500;

export const chatMissedMessages = (chat: Chat) =>
  consume(missed, {
    concurrency: 1,
    schedule: () => {
      const share = chat.mail.settings.missedMailMs / TURNS_MEANWHILE;
      return { everyMs: Math.round(Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, share))), payload: null };
    },
    run: (_kernel, _payload, { signal }) => mailMissedMessages(chat, signal),
  });
