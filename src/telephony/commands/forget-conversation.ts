/** Empties the texts of a deleted conversation, a few at a time: there may be more of them than one transaction holds. */
import type { Kernel } from '../../kernel/kernel';
import type { ConversationId } from '../model/texting';
import * as conversations from '../store/conversations';
import * as texts from '../store/texts';

const MOST_AT_ONCE = 500;

/** Says whether all is done. */
export async function forgetConversation(kernel: Kernel, id: string, signal: AbortSignal): Promise<boolean> {
  const conversationId = id as ConversationId;
  if (!(await conversations.isDeleted(kernel.mysql, conversationId))) return true;
  while (!signal.aborted) {
    const emptied = await kernel.transaction(async ({ db }) => {
      const ids = await texts.someIds(db, conversationId, MOST_AT_ONCE);
      if (ids.length > 0) await texts.remove(db, ids, kernel.clock.now());
      return ids.length;
    });
    if (emptied < MOST_AT_ONCE) {
      await conversations.markForgotten(kernel.mysql, conversationId);
      return true;
    }
  }
  return false;
}
