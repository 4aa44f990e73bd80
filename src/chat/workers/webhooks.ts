/** Turns external services' deliveries into messages. Each bot has one turn at a time, so that none delays another. */
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { botInboxes } from '../actors/mailboxes';
import { emptyInbox } from '../commands/bots/empty-inbox';
import { notifyOfAllDeadLetters } from '../commands/bots/notify-of-dead-letters';
import type { Chat } from '../parts';

export const chatWebhooks = (chat: Chat) =>
  mailboxWorker(botInboxes, { handle: emptyInbox(chat), onSweep: () => notifyOfAllDeadLetters(chat) });
