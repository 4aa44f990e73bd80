/**
 * Turns the deliveries of external services into messages. One turn per bot at a time, so that no bot delays another.
 */
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { botInboxes } from '../actors/mailboxes';
import { emptyInbox } from '../commands/bots/empty-inbox';
import { notifyOfAllDeadLetters } from '../commands/bots/notify-of-dead-letters';
import type { Chat } from '../parts';

export const chatWebhooks = (chat: Chat) =>
  mailboxWorker(botInboxes, { handle: emptyInbox(chat), onSweep: () => notifyOfAllDeadLetters(chat) });
