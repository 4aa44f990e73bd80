/** Pins a conversation to the top of a user's own list, or unpins it. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { noConversation } from '../../model/texting/texting-faults';
import { presentConversation } from '../../queries/texting/present-conversations';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';

export function pinConversation(
  kernel: Kernel,
  by: Caller,
  { id, isPinned }: { id: string; isPinned: boolean },
): Promise<object> {
  return kernel.transaction(async ({ db }) => {
    const conversation = await conversations.byId(db, by.companyId, id);
    if (!conversation) throw noConversation();
    await views.pin(db, by.contactId, conversation.id, isPinned ? kernel.clock.now() : null);
    return presentConversation(db, by.contactId, conversation);
  });
}
