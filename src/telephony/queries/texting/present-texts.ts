/** Builds texts as a user sees them, with files, contact and read state. */
import type { Database } from '../../../kernel/mysql/pool';
import type { ContactId } from '../../model/contacts/contact';
import type { Conversation, Text, TextingContact } from '../../model/texting/conversation';
import { messageObject, type MessageObject } from '../../model/texting/texting-wire';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as textFiles from '../../store/texting/text-files';

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
