/** Lists a company's conversations as one user sees them, and returns one. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import type { Listed, Page } from '../../model/paging';
import { noConversation } from '../../model/texting/texting-faults';
import * as lists from '../../store/texting/conversation-lists';
import * as conversations from '../../store/texting/conversations';
import { presentConversation, presentConversations } from './present-conversations';

export type { ConversationQuery } from '../../store/texting/conversation-lists';

export async function listConversations(
  { readFrom }: Kernel,
  by: Caller,
  wanted: { query: lists.ConversationQuery; page: Page },
): Promise<Listed<object>> {
  return readFrom(async (db) => {
    const { total, items } = await lists.page(db, by, wanted);
    return { total, items: await presentConversations(db, by.contactId, items) };
  });
}

export async function getConversation({ mysql }: Kernel, by: Caller, id: string): Promise<object> {
  const conversation = await conversations.byId(mysql, by.companyId, id);
  if (!conversation) throw noConversation();
  return presentConversation(mysql, by.contactId, conversation);
}
