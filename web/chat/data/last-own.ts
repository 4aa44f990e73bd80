/** The user's own last message in a view, which `e` edits if none is selected. */
import { messageById } from './messages';
import type { Narrow } from './narrow';
import { useOutbox } from './outbox';
import { pendingIn } from './pending';
import { chat } from './store';
import type { Message } from './wire';

/** None while a message is being sent: it would be the last, but cannot be edited yet. */
export function lastOwn(narrow: Narrow, shownIds: readonly number[]): Message | undefined {
  if (pendingIn(narrow, useOutbox.getState().entries).length > 0) return undefined;
  const { ownId } = chat();
  const id = shownIds.findLast((each) => messageById(each)?.sender_id === ownId);
  return id === undefined ? undefined : messageById(id);
}
