/** Decides which messages around an anchor fit into a response's byte budget. */
import type { Found } from './anchor';

export interface Outward {
  /** The anchor's own message, then the nearest ones from either side in turn. */
  readonly ids: readonly number[];
  /** This many are always sent: one beyond the anchor on each side lets a paging client always advance. */
  readonly least: number;
}

export function outwardOf(sorted: readonly number[], anchor: number): Outward {
  const own = sorted.filter((id) => id === anchor);
  const before = sorted.filter((id) => id < anchor).reverse();
  const after = sorted.filter((id) => id > anchor);
  const ids = [...own];
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
    ids.push(...before.slice(at, at + 1), ...after.slice(at, at + 1));
  }
  return { ids, least: own.length + Math.min(1, before.length) + Math.min(1, after.length) };
}

/** The longest prefix of the ids whose total size is within the budget. Sizes may be missing at the end. */
export function fitting(
  { ids, least }: Outward,
  sizes: ReadonlyMap<number, number>,
  budget: number,
): readonly number[] {
  let left = budget;
  const end = ids.findIndex((id, at) => {
    left -= sizes.get(id) ?? Infinity;
    return left < 0 && at >= least;
  });
  return end === -1 ? ids : ids.slice(0, end);
}

/** Keeps only these messages. If some were dropped, the end on that side was not reached. */
export function keepOnly<T extends { readonly id: number }>(found: Found<T>, ids: readonly number[]): Found<T> {
  const kept = new Set(ids);
  const { messages } = found;
  return {
    ...found,
    messages: messages.filter(({ id }) => kept.has(id)),
    found_oldest: found.found_oldest && (messages.length === 0 || kept.has(messages[0]!.id)),
    found_newest: found.found_newest && (messages.length === 0 || kept.has(messages.at(-1)!.id)),
  };
}
