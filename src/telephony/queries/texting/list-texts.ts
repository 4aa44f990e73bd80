/** Lists the messages of a conversation, newest first: by page, or before or after a message. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { offsetOf, type Listed, type Page } from '../../model/paging';
import { noConversation, noMessage } from '../../model/texting/texting-faults';
import * as conversations from '../../store/texting/conversations';
import * as texts from '../../store/texting/texts';
import { presentTexts } from './present-texts';

export interface TextsQuery {
  readonly conversationId: string;
  readonly page: Page;
  /** The id of a message: only older ones. */
  readonly before?: string | undefined;
  /** The id of a message: only newer ones. */
  readonly after?: string | undefined;
}

export async function listTexts({ mysql }: Kernel, by: Caller, query: TextsQuery): Promise<Listed<object>> {
  const conversation = await conversations.byId(mysql, by.companyId, query.conversationId);
  if (!conversation) throw noConversation();
  const seqOf = async (id: string | undefined): Promise<number | undefined> => {
    if (id === undefined) return undefined;
    const seq = await texts.seqOf(mysql, conversation.id, id);
    if (seq === undefined) throw noMessage();
    return seq;
  };
  const [before, after] = await Promise.all([seqOf(query.before), seqOf(query.after)]);
  const window = { before, after, limit: query.page.size, offset: offsetOf(query.page) };
  const found = await texts.list(mysql, conversation.id, window);
  const items = await presentTexts(mysql, by.contactId, conversation, found);
  return { total: conversation.lastSeq - conversation.hiddenCount, items };
}
