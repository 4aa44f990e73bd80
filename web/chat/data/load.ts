/** Loads the messages of a view: around the first unread or a given message, and older or newer ones. */
import { messageOf } from '../../shared/http/message-of';
import { askAhead, firstMessages } from '../early';
import { askMessages, PAGE } from './ask';
import { changeList, emptyList, listOf, putList, withIds, type MessageList } from './lists';
import { messageById, putMessage } from './messages';
import { keyOf, type Narrow } from './narrow';
import type { MessagesAnswer } from './wire';

/** How many are added to a view: every addition moves all rows, so few large ones cost less. */
const MORE = 200;

function keep(answer: MessagesAnswer): number[] {
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
  const { firstUnread, ...rest } = known;
  if (first === firstUnread) return putList(known);
  return putList(first === undefined ? rest : { ...rest, firstUnread: first });
}

/** Loads the view from scratch. */
export async function loadList(narrow: Narrow, near?: number): Promise<void> {
  putList({ ...emptyList(narrow), isLoading: true });
  try {
    const answer = await firstMessages(narrow, near);
    const unread = answer.messages.find(({ flags }) => !flags.includes('read'));
    const list = completed(emptyList(narrow), answer, {
      hasOldest: answer.found_oldest,
      hasNewest: answer.found_newest,
    });
    putList(unread && near === undefined ? { ...list, firstUnread: unread.id } : list);
  } catch (error) {
    changeList(narrow, { isLoading: false, error: messageOf(error) });
  }
}

/** Jumps to the newest messages. */
export const loadNewest = (narrow: Narrow): Promise<void> => loadList(narrow, Number.MAX_SAFE_INTEGER);

function completed(list: MessageList, answer: MessagesAnswer, ends: Partial<MessageList>): MessageList {
  const whole = { ...withIds(list, keep(answer)), ...ends, isLoading: false, late: [] };
  return whole.hasNewest ? withIds(whole, listOf(list.narrow)?.late ?? []) : whole;
}

/** Views that load older messages. No part of a list: nothing on the screen changes before they are there. */
const growing = new Set<string>();

export async function loadOlder(narrow: Narrow): Promise<void> {
  const [list, key] = [listOf(narrow), keyOf(narrow)];
  const first = list?.ids[0];
  if (!list || first === undefined || list.isLoading || list.hasOldest || growing.has(key)) return;
  growing.add(key);
  try {
    const answer = await askMessages(narrow, { anchor: first, before: MORE, after: 0 });
    const now = listOf(narrow);
    // A list that begins elsewhere by now would get a gap.
    if (now?.ids[0] === first) putList({ ...withIds(now, keep(answer)), hasOldest: answer.found_oldest });
  } catch {
    // Scrolling on, or reconnecting, tries again.
  } finally {
    growing.delete(key);
  }
}

export async function loadNewer(narrow: Narrow): Promise<void> {
  const list = listOf(narrow);
  if (!list || list.isLoading || list.hasNewest || list.ids.length === 0) return;
  changeList(narrow, { isLoading: true });
  const current = () => {
    const now = listOf(narrow);
    return now?.generation === list.generation ? now : undefined;
  };
  try {
    const answer = await askMessages(narrow, { anchor: list.ids.at(-1)!, before: 0, after: MORE });
    const now = current();
    if (now) putList(completed(now, answer, { hasNewest: answer.found_newest }));
  } catch {
    if (current()) changeList(narrow, { isLoading: false });
  }
}

/** The largest gap to fill; with a larger one the view is reloaded. */
const GAP = 400;

/**
 * Fetches what the view missed while there were no events, and replaces changed messages. A view that does not reach
 * the newest message missed nothing: it loads more when the reader scrolls.
 */
export async function catchUp(narrow: Narrow): Promise<void> {
  const list = listOf(narrow);
  const last = list?.ids.at(-1);
  if (!list || last === undefined) return loadList(narrow);
  if (!list.hasNewest) return;
  const answer = await askMessages(narrow, { anchor: last, before: Math.min(list.ids.length, PAGE), after: GAP });
  if (!answer.found_newest) return loadList(narrow);
  for (const message of answer.messages) putMessage(message);
  const now = listOf(narrow);
  if (now) putList(withIds(now, keep(answer)));
}
