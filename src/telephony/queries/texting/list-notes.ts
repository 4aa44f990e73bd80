/** The notes that colleagues have left about a conversation, oldest first. */
import type { Database } from '../../../kernel/mysql/pool';
import type { NoteObject } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { existing } from '../../model/faults';
import type { ConversationNote } from '../../model/texting/conversation-note';
import { noConversation } from '../../model/texting/texting-faults';
import * as conversations from '../../store/texting/conversations';
import * as notes from '../../store/texting/conversation-notes';

export const noteObject = ({ id, authorId, text, createdAt }: ConversationNote): NoteObject => ({
  id,
  user_id: authorId,
  text,
  created_at: createdAt.toISOString(),
});

export async function listNotes(db: Database, by: Caller, conversationId: string): Promise<NoteObject[]> {
  const { id } = existing(await conversations.byId(db, by.companyId, conversationId), noConversation);
  return (await notes.list(db, id)).map(noteObject);
}
