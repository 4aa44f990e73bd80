/** The loaded part of each view: message ids in order, and whether there are more at either end. */
import { create } from 'zustand';
import { keyOf, type Narrow } from './narrow';
import { keepOnly, messageCount } from './messages';
import type { MessagesAnswer } from './wire';

export interface MessageList {
  readonly narrow: Narrow;
  readonly ids: readonly number[];
  readonly hasOldest: boolean;
  readonly hasNewest: boolean;
  readonly isLoading: boolean;
  readonly error: string;
  /** Messages came into the view that were never loaded: the view is to be read again. */
  readonly isLacking?: boolean;
  /** Messages that arrived at the newest end during loading. The answer may be older than they are. */
  readonly late: readonly number[];
  /** The reader asked for the oldest or the newest messages, not for the first unread one. */
  readonly beginsAt?: 'oldest' | 'newest';
  /** The first unread message when the view was opened; undefined if there was none. */
  readonly firstUnread?: number;
  /** Decreases by the number of ids added in front, so that a virtual list keeps its position. */
  readonly firstIndex: number;
  /** Changes when the whole content was replaced. */
  readonly generation: number;
}

const MAX_LISTS = 25;
const MAX_IDS = 4000;
const TRIMMED_IDS = 2000;
/** So many more messages than the lists hold are kept before unused ones are swept. */
const SWEEP_EVERY = 1000;
const FIRST_INDEX = 1_000_000;

interface Lists {
  readonly byKey: ReadonlyMap<string, MessageList>;
  readonly current: string;
}

export const useLists = create<Lists>(() => ({ byKey: new Map(), current: '' }));

let generations = 0;

export const listOf = (narrow: Narrow): MessageList | undefined => useLists.getState().byKey.get(keyOf(narrow));

export const emptyList = (narrow: Narrow): MessageList => ({
  narrow,
  ids: [],
  hasOldest: false,
  hasNewest: false,
  isLoading: false,
  error: '',
  late: [],
  firstIndex: FIRST_INDEX,
  generation: (generations += 1),
});

/** Lists are evicted in the order of their last update. */
export function putList(list: MessageList): void {
  const { byKey, current } = useLists.getState();
  const key = keyOf(list.narrow);
  const next = new Map(byKey);
  next.delete(key);
  next.set(key, list);
  for (const old of next.keys()) {
    if (next.size <= MAX_LISTS) break;
    if (old !== key && old !== current) next.delete(old);
  }
  useLists.setState({ byKey: next });
  sweep();
}

export function changeList(narrow: Narrow, change: Partial<MessageList>): void {
  const list = listOf(narrow);
  if (list) putList({ ...list, ...change });
}

export function showList(narrow: Narrow): void {
  useLists.setState({ current: keyOf(narrow) });
}

/** Changes many lists with one render. */
export function changeLists(change: (list: MessageList) => MessageList | undefined): void {
  const { byKey } = useLists.getState();
  const next = new Map<string, MessageList>();
  let isChanged = false;
  for (const [key, list] of byKey) {
    const changed = change(list);
    isChanged ||= changed !== list;
    if (changed) next.set(key, changed);
  }
  if (!isChanged) return;
  useLists.setState({ byKey: next });
  sweep();
}

/** Inserts the ids in order, without duplicates. */
export function withIds(list: MessageList, ids: readonly number[]): MessageList {
  const added = [...new Set(ids)].sort((a, b) => a - b);
  const [first, last] = [list.ids[0], list.ids.at(-1)];
  if (added.length === 0) return list;
  if (first === undefined || last === undefined) return { ...list, ids: added };
  const older = added.filter((id) => id < first);
  const newer = added.filter((id) => id > last);
  const between = added.slice(older.length, added.length - newer.length);
  const inside = withInside(list.ids, between);
  if (older.length + newer.length === 0 && inside === list.ids) return list;
  return { ...list, ids: [...older, ...inside, ...newer], firstIndex: list.firstIndex - older.length };
}

/** Rarely there is something to insert: a list has all messages between its first and its last. */
function withInside(ids: readonly number[], between: readonly number[]): readonly number[] {
  // The message that older or newer ones were requested for.
  const unsure = between.filter((id) => id !== ids[0] && id !== ids.at(-1));
  if (unsure.length === 0) return ids;
  const known = new Set(ids);
  const fresh = unsure.filter((id) => !known.has(id));
  return fresh.length === 0 ? ids : [...ids, ...fresh].sort((a, b) => a - b);
}

/** The list as the answer has it: from its oldest message, or from the view's beginning, to its newest one or the anchor. */
export function asAnswered(list: MessageList, answer: MessagesAnswer, anchor: number): MessageList {
  const ids = answer.messages.map(({ id }) => id);
  const from = answer.found_oldest ? 0 : (ids[0] ?? anchor);
  const to = Math.max(anchor, ids.at(-1) ?? 0);
  const known = new Set(ids);
  const kept = list.ids.filter((id) => id < from || id > to || known.has(id));
  const [start, end] = [list.hasOldest ? 0 : list.ids[0]!, list.hasNewest ? to : list.ids.at(-1)!];
  const left = kept.length === list.ids.length ? list : withKept(list, kept);
  return withIds(
    left,
    ids.filter((id) => id >= start && id <= end),
  );
}

/** Counts the ids that are gone in front, so that the virtual list keeps its position. */
function withKept(list: MessageList, kept: readonly number[]): MessageList {
  const gone = list.ids.findIndex((id) => id === kept[0]);
  return { ...list, ids: kept, firstIndex: list.firstIndex + Math.max(0, gone) };
}

/** Drops the oldest messages of a long list. They are loaded again on demand. */
export function trimmed(list: MessageList): MessageList {
  if (list.ids.length <= MAX_IDS) return list;
  const gone = list.ids.length - TRIMMED_IDS;
  return { ...list, ids: list.ids.slice(gone), hasOldest: false, firstIndex: list.firstIndex + gone };
}

/** Inserts those that lie in the loaded part: where more can be loaded, the others come with what lies between. */
export function withinLoaded(list: MessageList, ids: readonly number[]): MessageList {
  const [first = Infinity, last = -Infinity] = [list.ids[0], list.ids.at(-1)];
  const isInside = (id: number): boolean => (list.hasOldest || id > first) && (list.hasNewest || id < last);
  return withIds(list, ids.filter(isInside));
}

export function withoutIds(list: MessageList, ids: ReadonlySet<number>): MessageList {
  return list.ids.some((id) => ids.has(id)) ? { ...list, ids: list.ids.filter((id) => !ids.has(id)) } : list;
}

/** A message may be in several lists, so this keeps some that are in none; what matters is that there is a bound. */
function sweep(): void {
  const lists = [...useLists.getState().byKey.values()];
  if (messageCount() < lists.reduce((sum, { ids }) => sum + ids.length, SWEEP_EVERY)) return;
  keepOnly(new Set(lists.flatMap(({ ids }) => ids)));
}
