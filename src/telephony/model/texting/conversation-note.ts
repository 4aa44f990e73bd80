/** A note about a conversation, for colleagues only. */
import { Fault } from '../../../kernel/fault';
import type { ContactId } from '../contacts/contact';

export interface ConversationNote {
  readonly id: string;
  /** Null once the person is gone. */
  readonly authorId: ContactId | null;
  readonly text: string;
  readonly createdAt: Date;
}

/** All are shown at once. */
export const MAX_NOTES = 100;
export const MAX_NOTE_LENGTH = 2000;

export const noNote = () => new Fault('missing', 'There is no such note of this conversation');
export const notYourNote = () => new Fault('forbidden', 'Only the owner may delete notes of others');
export const tooManyNotes = () =>
  new Fault('invalid', `A conversation has at most ${MAX_NOTES} notes; delete one first`);
