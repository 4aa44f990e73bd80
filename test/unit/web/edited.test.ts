import { asEdited, asMoved, isEdited } from '../../../web/chat/data/messages';
import type { Message } from '../../../web/chat/data/wire';

const message = { id: 1 } as Message;
const moved = { ...message, ...asMoved(message, 5) };
const edited = { ...message, ...asEdited(5) };

test('A message is edited if its words were changed, not if it was moved or its topic renamed', () => {
  expect(
    [message, moved, edited, { ...edited, ...asMoved(edited, 6) }, { ...moved, ...asEdited(6) }].map(isEdited),
  ).toEqual([false, false, true, true, true]);
});

test('The history that the server sends says the same', () => {
  const renamed = { prev_topic: 'lunch', topic: 'dinner' };
  const sent = (...edits: object[]): Message => ({ ...message, last_edit_timestamp: 5, edit_history: edits });
  expect(isEdited(sent(renamed))).toBe(false);
  expect(isEdited(sent(renamed, { prev_content: 'a' }))).toBe(true);
});

test('Where the organisation hides the history, any change counts', () => {
  const hidden = { ...message, last_edit_timestamp: 5 };
  expect(isEdited(hidden)).toBe(true);
  expect(isEdited({ ...hidden, ...asMoved(hidden, 6) })).toBe(true);
});
