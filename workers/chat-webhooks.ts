/** Turns deliveries of external services into messages, one turn per bot at a time, so that no bot delays another. */
import { emptyInboxOf, nudgeIfWaiting } from '../src/chat/commands/empty-inbox';
import { emptyInbox } from '../src/chat/jobs';
import { consume } from '../src/kernel/jobs/consume';

export const chatWebhooks = consume(emptyInbox, {
  concurrency: 8,
  run: (kernel, { realmId, botId }, { signal }) => emptyInboxOf(kernel, realmId, botId, signal),
  after: (kernel, { realmId, botId }) => nudgeIfWaiting(kernel, realmId, botId),
});
