/** Loads messages of a view: around its first unread message, around a given one, older and newer ones. */
import { messageOf } from '../../shared/http/message-of';
import { firstMessages } from '../early';
import { askMessages, PAGE, type Range } from './ask';
import { changeList, emptyList, listOf, putList, withIds, type MessageList } from './lists';
import { messageById, putMessage } from './messages';
import type { Narrow } from './narrow';
import type { MessagesAnswer } from './wire';

function keep(answer: MessagesAnswer): number[] {
  for (const message of answer.messages) {
    // A message that came by an event meanwhile is at least as new.
    if (!messageById(message.id) || message.match_content !== undefined) putMessage(message);
  }
  return answer.messages.map(({ id }) => id);
}

/** Opens the view at a message, or else at its first unread one; what is loaded already is shown at once. */
export async function openList(narrow: Narrow, near?: number): Promise<void> {
  const known = listOf(narrow);
  if (!known || known.error !== '' || (near !== undefined && !known.ids.includes(near))) return loadList(narrow, near);
  const first = known.ids.find((id) => messageById(id)?.flags.includes('read') === false);
  const { firstUnread, ...rest } = known;
  if (first === firstUnread) return putList(known);
  return putList(first === undefined ? rest : { ...rest, firstUnread: first });
}

/** Loads the view anew. */
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

/** The newest messages, wherever the reader was. */
export const loadNewest = (narrow: Narrow): Promise<void> => loadList(narrow, Number.MAX_SAFE_INTEGER);

function completed(list: MessageList, answer: MessagesAnswer, ends: Partial<MessageList>): MessageList {
  const whole = { ...withIds(list, keep(answer)), ...ends, isLoading: false, late: [] };
  return whole.hasNewest ? withIds(whole, listOf(list.narrow)?.late ?? []) : whole;
}

export async function loadOlder(narrow: Narrow): Promise<void> {
  const list = listOf(narrow);
  if (!list || list.isLoading || list.hasOldest || list.ids.length === 0) return;
  await extend(narrow, { anchor: list.ids[0]!, before: PAGE, after: 0 }, (answer) => ({
    hasOldest: answer.found_oldest,
  }));
}

export async function loadNewer(narrow: Narrow): Promise<void> {
  const list = listOf(narrow);
  if (!list || list.isLoading || list.hasNewest || list.ids.length === 0) return;
  await extend(narrow, { anchor: list.ids.at(-1)!, before: 0, after: PAGE }, (answer) => ({
    hasNewest: answer.found_newest,
  }));
}

async function extend(
  narrow: Narrow,
  range: Range,
  ends: (answer: MessagesAnswer) => Partial<MessageList>,
): Promise<void> {
  changeList(narrow, { isLoading: true });
  try {
    const answer = await askMessages(narrow, range);
    const list = listOf(narrow);
    if (list) putList(completed(list, answer, ends(answer)));
  } catch {
    // The reader scrolls again, or the connection comes back: both ask anew.
    changeList(narrow, { isLoading: false });
  }
}

/** The most that is fetched to close a gap; a longer one is left, and the view is opened anew. */
const GAP = 400;

/**
 * After a time without events: what the view has missed. Messages that were changed meanwhile are put anew. A view that
 * does not reach to the newest message has missed nothing: it asks for more when the reader gets there.
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
