/** Computes which messages a view shows first, and where the reader starts. */
import type { MessageList } from '../data/lists';
import { messageById } from '../data/messages';

export interface Start {
  readonly index: number;
  readonly align: 'center' | 'start';
  readonly offset?: number;
}

/** Few rows are lower. */
const MIN_ROW_HEIGHT = 30;
/** How many read messages are shown above the first unread one. */
const ABOVE_UNREAD = 3;

export const screenful = (): number => Math.ceil(innerHeight / MIN_ROW_HEIGHT);

/** Where the reader starts; undefined means at the end. */
export function startOf({ ids, beginsAt }: MessageList, near: number | undefined): Start | undefined {
  if (beginsAt === 'newest') return undefined;
  if (beginsAt === 'oldest') return { index: 0, align: 'start', offset: -60 };
  if (near !== undefined && ids.includes(near)) return { index: ids.indexOf(near), align: 'center' };
  // Read messages are skipped, even if they were unread when the list was loaded.
  const unread = near === undefined ? ids.findIndex((id) => messageById(id)?.flags.includes('read') === false) : -1;
  return unread >= 0 ? { index: unread, align: 'start', offset: -60 } : undefined;
}

/** The ids of the first and last message on the first screen. `last` is omitted if the screen reaches the end. */
export function screenOf(ids: readonly number[], start: Start | undefined): { first?: number; last?: number } {
  const count = screenful();
  const above = !start ? count : start.align === 'center' ? Math.ceil(count / 2) : ABOVE_UNREAD;
  // A message near the end has less than half a screen below it.
  const from = Math.max(0, Math.min((start?.index ?? ids.length) - above, ids.length - count));
  const last = ids[from + count - 1];
  return { first: ids[from]!, ...(last !== undefined && last !== ids.at(-1) && { last }) };
}
