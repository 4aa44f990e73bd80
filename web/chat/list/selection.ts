/** The message that keyboard shortcuts act on. */
import { create } from 'zustand';
import { listOf, useLists, type MessageList } from '../data/lists';
import { loadOldest } from '../data/load';
import { messageById } from '../data/messages';
import { keyOf } from '../data/narrow';
import type { Message } from '../data/wire';

interface Selection {
  readonly id?: number | undefined;
  /** Selected by keyboard: the row takes the focus, so that a screen reader reads it. */
  readonly byKey: boolean;
}

export const useSelection = create<Selection>(() => ({ byKey: false }));

/** Every row is asked whether it is the one: not where nothing changes. */
export function select(id: number | undefined, byKey = false): void {
  const now = useSelection.getState();
  if (now.id !== id || now.byKey !== byKey) useSelection.setState({ id, byKey });
}

export const selectedMessage = (): Message | undefined => {
  const { id } = useSelection.getState();
  return id === undefined ? undefined : messageById(id);
};

export const shownIds = (): readonly number[] => {
  const { byKey, current } = useLists.getState();
  return byKey.get(current)?.ids ?? [];
};

/** Scrolls the visible list, which registers it. */
export interface Scroller {
  readonly show: (id: number) => void;
  readonly page: (direction: 1 | -1) => void;
  /** To the newest message, which is loaded if it is not there. */
  readonly toNewest: () => void;
}

let scroller: Scroller | undefined;

export function setScroller(value: Scroller | undefined): void {
  scroller = value;
}

export const listScroller = (): Scroller | undefined => scroller;

/** Where keyboard selection starts: the lowest message that is fully visible. */
function lowestVisible(): number | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('#main [data-message-id]')];
  const bottom = document.getElementById('main')?.getBoundingClientRect().bottom ?? 0;
  const row = rows.findLast((each) => each.getBoundingClientRect().bottom <= bottom + 4);
  return row && Number(row.dataset['messageId']);
}

export function moveSelection(step: number): void {
  const ids = shownIds();
  const { id } = useSelection.getState();
  const known = id === undefined ? -1 : ids.indexOf(id);
  const from = known < 0 ? ids.indexOf(lowestVisible() ?? ids.at(-1) ?? 0) : known + step;
  const next = ids[Math.max(0, Math.min(ids.length - 1, from))];
  if (next === undefined) return;
  select(next, true);
  scroller?.show(next);
}

export function selectEnd(isLast: boolean): void {
  const { byKey, current } = useLists.getState();
  const list = byKey.get(current);
  if (!list || list.ids.length === 0) return;
  if (!isLast) return void selectFirst(list);
  // What is newest is not known before it is loaded.
  select(list.hasNewest ? list.ids.at(-1) : undefined, true);
  scroller?.toNewest();
}

/** A long view is not loaded as far as its beginning: that is loaded in its place. */
async function selectFirst({ narrow, hasOldest, ids }: MessageList): Promise<void> {
  if (hasOldest) {
    select(ids[0], true);
    return scroller?.show(ids[0]!);
  }
  await loadOldest(narrow);
  // The rows begin without a selection.
  requestAnimationFrame(() => {
    const list = listOf(narrow);
    if (list?.beginsAt === 'oldest' && useLists.getState().current === keyOf(narrow)) select(list.ids[0], true);
  });
}
