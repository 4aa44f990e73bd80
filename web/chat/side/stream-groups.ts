/** In which order, and under which headings, the side bar shows the user's streams. */
import type { Subscription } from '../data/wire';

export type StreamGroup = 'pinned' | 'streams' | 'muted';

export const STREAM_GROUPS: readonly StreamGroup[] = ['pinned', 'streams', 'muted'];

export function groupOf({ pin_to_top, is_muted }: Subscription): StreamGroup {
  if (pin_to_top) return 'pinned';
  return is_muted ? 'muted' : 'streams';
}

const byName = new Intl.Collator();

/** By heading; muted streams last among the pinned ones; then by name. */
export function inOrder(subscriptions: Iterable<Subscription>): Subscription[] {
  const rank = (each: Subscription): number => STREAM_GROUPS.indexOf(groupOf(each)) * 2 + Number(each.is_muted);
  return [...subscriptions].sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name));
}
