/** Turns the deliveries of external services into messages. One turn per bot at a time, so that no bot delays another. */
import { emptyInboxOf, nudgeIfWaiting } from '../commands/empty-inbox';
import { emptyInbox } from '../jobs';
import { consume } from '../../kernel/jobs/consume';

export const chatWebhooks = consume(emptyInbox, {
  concurrency: 8,
  run: (kernel, { realmId, botId }, { signal }) => emptyInboxOf(kernel, realmId, botId, signal),
  after: (kernel, { realmId, botId }) => nudgeIfWaiting(kernel, realmId, botId),
});
