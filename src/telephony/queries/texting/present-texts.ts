/** Texts as a user sees them: with their files, their contact, and whether the user has read them. */
import type { Database } from '../../../kernel/mysql/pool';
import type { ContactId } from '../../model/contacts/contact';
import type { Conversation, Text, TextingContact } from '../../model/texting/conversation';
import { messageObject, type MessageObject } from '../../model/texting/texting-wire';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as textFiles from '../../store/texting/text-files';

/** In a fixed number of statements, however many they are. */
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

/** A text that was just written, as everybody is told of it: nobody has read what came in. */
export const presentNew = (
  text: Text,
  conversation: Conversation,
  contact: TextingContact,
  files: MessageObject['files'],
): MessageObject => messageObject(text, { conversation, contact, files, isRead: text.direction === 'outbound' });
