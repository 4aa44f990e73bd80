/** Adds and deletes notes about a conversation. Everybody of the company may add some; their authors delete them, or the owner. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { Caller } from '../../model/contacts/contact';
import { existing } from '../../model/faults';
import {
  MAX_NOTES,
  noNote,
  notYourNote,
  tooManyNotes,
  type ConversationNote,
} from '../../model/texting/conversation-note';
import { noConversation } from '../../model/texting/texting-faults';
import * as conversations from '../../store/texting/conversations';
import * as notes from '../../store/texting/conversation-notes';

export function addNote(
  { transaction, clock }: Pick<Storage, 'transaction' | 'clock'>,
  by: Caller,
  { conversationId, text }: { readonly conversationId: string; readonly text: string },
): Promise<ConversationNote> {
  return transaction(async ({ db }) => {
    const { id } = existing(await conversations.lock(db, by.companyId, conversationId), noConversation);
    ensure((await notes.list(db, id)).length < MAX_NOTES, tooManyNotes());
    const note = { id: newId(), authorId: by.contactId, text, createdAt: clock.now() };
    await notes.insert(db, id, note);
    return note;
  });
}

export function deleteNote(
  transaction: Transact,
  by: Caller,
  { conversationId, noteId }: { readonly conversationId: string; readonly noteId: string },
): Promise<void> {
  return transaction(async ({ db }) => {
    const { id } = existing(await conversations.byId(db, by.companyId, conversationId), noConversation);
    const note = existing(
      (await notes.list(db, id)).find((each) => each.id === noteId),
      noNote,
    );
    ensure(by.isOwner || note.authorId === by.contactId, notYourNote());
    await notes.remove(db, note.id);
  });
}
