/** Portal routes of notes about conversations, which only colleagues see. */
import { z } from 'zod';
import { routesFor } from '../../../kernel/http/route';
import { addNote, deleteNote } from '../../commands/texting/change-notes';
import { conversationNote, conversationNotes, doneAnswer } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { MAX_NOTE_LENGTH, noNote, notYourNote, tooManyNotes } from '../../model/texting/conversation-note';
import { noConversation } from '../../model/texting/texting-faults';
import { listNotes, noteObject } from '../../queries/texting/list-notes';
import { done } from './wire-format';

const { get, post, del } = routesFor<Caller>();

const ALL = '/conversation-notes/:conversation_id';

export const noteRoutes = [
  get(ALL, {
    summary: 'List the notes that your company has about a conversation, oldest first',
    answer: conversationNotes,
    refuses: [noConversation()],
    run: ({ kernel, by, params }) => listNotes(kernel.mysql, by, params.conversation_id),
  }),
  post(ALL, {
    summary: 'Add a note about a conversation, which only your company sees',
    answer: conversationNote,
    refuses: [noConversation(), tooManyNotes()],
    status: 201,
    params: { text: z.string().trim().min(1, 'must not be empty').max(MAX_NOTE_LENGTH) },
    run: async ({ kernel, by, params: { conversation_id: conversationId, text } }) =>
      noteObject(await addNote(kernel, by, { conversationId, text })),
  }),
  del(`${ALL}/:note_id`, {
    summary: 'Delete a note of yours; the owner may delete any',
    answer: doneAnswer,
    refuses: [noConversation(), noNote(), notYourNote()],
    run: ({ kernel, by, params: { conversation_id: conversationId, note_id: noteId } }) =>
      done(deleteNote(kernel.transaction, by, { conversationId, noteId })),
  }),
];
