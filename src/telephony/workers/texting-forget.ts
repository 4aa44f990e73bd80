/** Empties deleted conversations. */
import { Busy } from '../../kernel/actor/lease';
import { consume } from '../../kernel/jobs/consume';
import { forgetConversation } from '../commands/forget-conversation';
import { forgetTexts } from '../jobs';

const CONCURRENCY = 2;

export const textingForget = consume(forgetTexts, {
  concurrency: CONCURRENCY,
  async run(kernel, { conversationId }, { signal }) {
    const isDone = await forgetConversation(kernel, conversationId, signal);
    if (!isDone) throw new Busy('the process ends; another goes on');
  },
});
