/** Brings a view up to date after a time without events. */
import { askMessages } from '../data/ask';
import { asAnswered, changeList, listOf, putList, type MessageList } from '../data/lists';
import { loadList } from '../data/load';
import { putMessage } from '../data/messages';
import type { Narrow } from '../data/narrow';
import type { MessagesAnswer } from '../data/wire';

/** The largest gap to fill; with a larger one the view is reloaded. Also how many are read again at once. */
const GAP = 400;

/**
 * Reads what is loaded of the view again, from its end to its beginning, and what came after it: new messages are added,
 * changed ones are replaced, and those that were deleted or moved elsewhere are dropped.
 */
export async function catchUp(narrow: Narrow): Promise<void> {
  changeList(narrow, { isLacking: false });
  const list = listOf(narrow);
  if (!list || list.ids.length === 0) return loadList(narrow);
  let anchor: number | undefined = list.ids.at(-1);
  const newest = await readBack(list, anchor!, list.hasNewest ? GAP : 0);
  if (list.hasNewest && newest?.found_newest === false) return loadList(narrow);
  anchor = newest && nextOf(list, newest, anchor!);
  while (anchor !== undefined) {
    const answer = await readBack(list, anchor, 0);
    anchor = answer && nextOf(list, answer, anchor);
  }
}

/** Undefined if the view was loaded from scratch meanwhile. */
async function readBack(list: MessageList, anchor: number, after: number): Promise<MessagesAnswer | undefined> {
  const answer = await askMessages(list.narrow, { anchor, before: Math.min(list.ids.length, GAP), after });
  const now = listOf(list.narrow);
  if (now?.generation !== list.generation) return undefined;
  if (after > 0 && !answer.found_newest) return answer;
  for (const message of answer.messages) putMessage(message);
  putList(asAnswered(now, answer, anchor));
  return answer;
}

/** Where to read on; undefined at the beginning of what was loaded. */
function nextOf(list: MessageList, answer: MessagesAnswer, anchor: number): number | undefined {
  const oldest = answer.messages[0]?.id ?? anchor;
  return answer.found_oldest || oldest <= list.ids[0]! || oldest === anchor ? undefined : oldest;
}
