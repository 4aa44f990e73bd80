/** Loads the messages of a view from scratch: around the first unread or a given one, the oldest or the newest. */
import { messageOf } from '../../shared/http/message-of';
import { askAhead, firstMessages } from '../early';
import { changeList, emptyList, listOf, putList, withIds, type MessageList } from './lists';
import { messageById, putMessage } from './messages';
import type { Narrow } from './narrow';
import type { MessagesAnswer } from './wire';

/** Anchors before and beyond every message id. */
const OLDEST = 0;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Keeps the messages of an answer, and returns their ids. */
export function keep(answer: MessagesAnswer): number[] {
  for (const message of answer.messages) {
    // A message that arrived by an event meanwhile is at least as new.
    if (!messageById(message.id) || message.match_content !== undefined) putMessage(message);
  }
  return answer.messages.map(({ id }) => id);
}

/** Whether the loaded part of the view has the message to begin at, so that it can be shown. */
function isLoaded(known: MessageList | undefined, near: number | undefined): known is MessageList {
  return known !== undefined && known.error === '' && (near === undefined || known.ids.includes(near));
}

/** Fetches early what `openList` will need; `openList` must follow in the same tick. */
export function prepareList(narrow: Narrow, near?: number): void {
  if (!isLoaded(listOf(narrow), near)) askAhead(narrow, near);
}

/** Opens the view at a message or at its first unread one. A loaded list is shown at once. */
export async function openList(narrow: Narrow, near?: number): Promise<void> {
  const known = listOf(narrow);
  if (!isLoaded(known, near)) return loadList(narrow, near);
  const first = known.ids.find((id) => messageById(id)?.flags.includes('read') === false);
  const { firstUnread, beginsAt, ...rest } = known;
  if (first === firstUnread && beginsAt === undefined) return putList(known);
  return putList(first === undefined ? rest : { ...rest, firstUnread: first });
}

/** Loads the view from scratch. Of several jumps in a view, the last one counts, whichever answer comes first. */
export async function loadList(narrow: Narrow, near?: number): Promise<void> {
  const beginsAt = near === OLDEST ? 'oldest' : near === NEWEST ? 'newest' : undefined;
  const opened = { ...emptyList(narrow), isLoading: true, ...(beginsAt && { beginsAt }) } satisfies MessageList;
  putList(opened);
  const isOurs = (): boolean => listOf(narrow)?.generation === opened.generation;
  try {
    const answer = await firstMessages(narrow, near);
    if (!isOurs()) return;
    const unread = answer.messages.find(({ flags }) => !flags.includes('read'));
    const list = completed(opened, answer, { hasOldest: answer.found_oldest, hasNewest: answer.found_newest });
    putList(unread && near === undefined ? { ...list, firstUnread: unread.id } : list);
  } catch (error) {
    if (isOurs()) changeList(narrow, { isLoading: false, error: messageOf(error) });
  }
}

/** Jumps to the newest messages. */
export const loadNewest = (narrow: Narrow): Promise<void> => loadList(narrow, NEWEST);
/** Jumps to the first messages of the view. */
export const loadOldest = (narrow: Narrow): Promise<void> => loadList(narrow, OLDEST);

/** The list with the messages of an answer, and with those that arrived during the request. */
export function completed(list: MessageList, answer: MessagesAnswer, ends: Partial<MessageList>): MessageList {
  const whole = { ...withIds(list, keep(answer)), ...ends, isLoading: false, late: [] };
  return whole.hasNewest ? withIds(whole, listOf(list.narrow)?.late ?? []) : whole;
}
