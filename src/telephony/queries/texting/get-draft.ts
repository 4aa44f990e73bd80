/** What the caller has begun to write in a conversation. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Caller } from '../../model/contacts/contact';
import { existing } from '../../model/faults';
import { noConversation } from '../../model/texting/texting-faults';
import * as conversations from '../../store/texting/conversations';
import * as drafts from '../../store/texting/text-drafts';

export async function getDraft(db: Database, by: Caller, conversationId: string): Promise<{ text: string }> {
  const { id } = existing(await conversations.byId(db, by.companyId, conversationId), noConversation);
  return { text: await drafts.find(db, by.contactId, id) };
}
