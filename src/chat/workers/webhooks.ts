/**
 * Turns the deliveries of external services into messages. One turn per bot at a time, so that no bot delays another.
 */
import { emptyInboxOf, wakeIfWaiting } from '../commands/bots/empty-inbox';
import { emptyInbox } from '../jobs';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';

export const chatWebhooks = (chat: Chat) =>
  consume(emptyInbox, {
    concurrency: 8,
    run: (_kernel, { realmId, botId }, { signal }) => emptyInboxOf(chat, realmId, botId, signal),
    after: (kernel, { realmId, botId }) => wakeIfWaiting(kernel, realmId, botId),
  });
