/** Loads more of a view: older or newer messages, when its reader comes near an end of what is loaded. */
import { pause, RequestError } from '../../shared/http/request';
import { askMessages } from '../data/ask';
import { changeList, listOf, putList, useLists, withIds } from '../data/lists';
import { completed, keep } from '../data/load';
import { keyOf, type Narrow } from '../data/narrow';

/** How many are added to a view: every addition moves all rows, so few large ones cost less. */
const MORE = 200;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/** Views that load older messages. No part of a list: nothing on the screen changes before they are there. */
const growing = new Set<string>();

export async function loadOlder(narrow: Narrow): Promise<void> {
  const [list, key] = [listOf(narrow), keyOf(narrow)];
  const first = list?.ids[0];
  if (!list || first === undefined || list.isLoading || list.hasOldest || growing.has(key)) return;
  growing.add(key);
  // A list that begins elsewhere by now would get a gap.
  const isSame = (): boolean => listOf(narrow)?.ids[0] === first;
  try {
    const answer = await insist(narrow, isSame, () => askMessages(narrow, { anchor: first, before: MORE, after: 0 }));
    const now = listOf(narrow);
    if (answer && now && isSame()) putList({ ...withIds(now, keep(answer)), hasOldest: answer.found_oldest });
  } finally {
    growing.delete(key);
  }
}

export async function loadNewer(narrow: Narrow): Promise<void> {
  const list = listOf(narrow);
  if (!list || list.isLoading || list.hasNewest || list.ids.length === 0) return;
  changeList(narrow, { isLoading: true });
  const isSame = (): boolean => listOf(narrow)?.generation === list.generation;
  const range = { anchor: list.ids.at(-1)!, before: 0, after: MORE };
  const answer = await insist(narrow, isSame, () => askMessages(narrow, range));
  const now = listOf(narrow);
  if (!now || !isSame()) return;
  if (answer) putList(completed(now, answer, { hasNewest: answer.found_newest }));
  else changeList(narrow, { isLoading: false });
}

/**
 * Repeats a request that failed, at growing intervals and when the browser is online again, for as long as somebody
 * looks at the view. Undefined if that is over, or if the server refuses: scrolling on asks again.
 */
async function insist<Answer>(
  narrow: Narrow,
  isWanted: () => boolean,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RequestError && error.isPassing)) return undefined;
    }
    await pauseOrOnline(ms);
    if (!isWanted() || useLists.getState().current !== keyOf(narrow)) return undefined;
  }
}

async function pauseOrOnline(ms: number): Promise<void> {
  const back = new AbortController();
  const wake = (): void => back.abort();
  addEventListener('online', wake);
  await pause(ms, back.signal).catch(() => undefined);
  removeEventListener('online', wake);
}
