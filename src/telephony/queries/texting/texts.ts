/** The messages of a conversation as a user sees them, with files, contact and read state. */
import type { Database } from '../../../kernel/mysql/pool';
import { existing } from '../../model/faults';
import type { Caller, ContactId } from '../../model/contacts/contact';
import { offsetOf, type Listed, type Page } from '../../model/paging';
import type { Conversation, Text, TextingContact } from '../../model/texting/conversation';
import { noConversation, noMessage } from '../../model/texting/texting-faults';
import { messageObject, type MessageObject } from '../../model/texting/texting-wire';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as textFiles from '../../store/texting/text-files';
import * as texts from '../../store/texting/texts';

export interface TextsQuery {
  readonly conversationId: string;
  readonly page: Page;
  /** The id of a message: only older ones. */
  readonly before?: string | undefined;
  /** The id of a message: only newer ones. */
  readonly after?: string | undefined;
}

/** Newest first: by page, or before or after a message. */
export async function listTexts(db: Database, by: Caller, query: TextsQuery): Promise<Listed<object>> {
  const conversation = existing(await conversations.byId(db, by.companyId, query.conversationId), noConversation);
  const seqOf = async (id: string | undefined) =>
    id === undefined ? undefined : existing(await texts.seqOf(db, conversation.id, id), noMessage);
  const [before, after] = await Promise.all([seqOf(query.before), seqOf(query.after)]);
  const window = { before, after, limit: query.page.size, offset: offsetOf(query.page) };
  const found = await texts.list(db, conversation.id, window);
  const items = await presentTexts(db, by.contactId, conversation, found);
  return { total: conversation.lastSeq - conversation.hiddenCount, items };
}

/** Uses a fixed number of statements, however many texts there are. */
export async function presentTexts(
  db: Database,
  viewer: ContactId,
  conversation: Conversation,
  texts: readonly Text[],
): Promise<MessageObject[]> {
  const ids = texts.map(({ id }) => id);
  const [unread, members, files] = await Promise.all([
    views.unreadOf(db, viewer, ids),
    conversations.membersOf(db, [conversation.id]),
    textFiles.ofTexts(db, ids),
  ]);
  const contact = members.get(conversation.id)?.[0];
  return texts.map((text) =>
    messageObject(text, {
      conversation,
      contact,
      files: files.get(text.id) ?? [],
      isRead: !unread.has(text.id),
    }),
  );
}

/** A new text as it is published. An inbound one is unread by everybody. */
export const presentNew = (
  text: Text,
  conversation: Conversation,
  contact: TextingContact,
  files: MessageObject['files'],
): MessageObject => messageObject(text, { conversation, contact, files, isRead: text.direction === 'outbound' });
