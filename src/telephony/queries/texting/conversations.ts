/** A company's conversations as one user sees them, with members, last message and unread count. */
import type { Database } from '../../../kernel/mysql/pool';
import type { ReadFrom } from '../../../kernel/mysql/read-from';
import { existing } from '../../model/faults';
import type { Caller, ContactId } from '../../model/contacts/contact';
import type { Listed, Page } from '../../model/paging';
import { unseenView, type Conversation } from '../../model/texting/conversation';
import { noConversation } from '../../model/texting/texting-faults';
import {
  conversationObject,
  messageObject,
  type ConversationObject,
  type MessageObject,
} from '../../model/texting/texting-wire';
import * as lists from '../../store/texting/conversation-lists';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as textFiles from '../../store/texting/text-files';
import * as texts from '../../store/texting/texts';

export type { ConversationQuery } from '../../store/texting/conversation-lists';

export async function listConversations(
  readFrom: ReadFrom,
  by: Caller,
  wanted: { query: lists.ConversationQuery; page: Page },
): Promise<Listed<object>> {
  return readFrom(async (db) => {
    const { total, items } = await lists.page(db, by, wanted);
    return { total, items: await presentConversations(db, by.contactId, items) };
  });
}

export async function getConversation(db: Database, by: Caller, id: string): Promise<object> {
  const conversation = existing(await conversations.byId(db, by.companyId, id), noConversation);
  return presentConversation(db, by.contactId, conversation);
}

/** Uses a fixed number of statements, however many conversations there are. */
async function presentConversations(
  db: Database,
  viewer: ContactId,
  list: readonly Conversation[],
): Promise<ConversationObject[]> {
  const ids = list.map(({ id }) => id);
  const lastIds = list.flatMap(({ lastTextId }) => lastTextId ?? []);
  const [members, seen, last, files, unread] = await Promise.all([
    conversations.membersOf(db, ids),
    views.viewsOf(db, viewer, ids),
    texts.lastOf(db, lastIds),
    textFiles.ofTexts(db, lastIds),
    views.unreadOf(db, viewer, lastIds),
  ]);
  return list.map((conversation) => {
    const { id, lastTextId } = conversation;
    const text = lastTextId === null ? undefined : last.get(lastTextId);
    const everyone = members.get(id) ?? [];
    const setting = { conversation, contact: everyone[0], files: (text && files.get(text.id)) ?? [] };
    const lastMessage: MessageObject | null = text
      ? messageObject(text, { ...setting, isRead: !unread.has(text.id) })
      : null;
    return conversationObject(conversation, { members: everyone, lastMessage, view: seen.get(id) ?? unseenView });
  });
}

export async function presentConversation(
  db: Database,
  viewer: ContactId,
  conversation: Conversation,
): Promise<ConversationObject> {
  const [object] = await presentConversations(db, viewer, [conversation]);
  return object!;
}
