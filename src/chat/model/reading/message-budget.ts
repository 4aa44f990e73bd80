/** Decides which messages around an anchor fit into an answer's budget of bytes. */
import type { Found } from './anchor';

export interface Outward {
  /** The anchor's own message first, then the nearest on either side in turn. */
  readonly ids: readonly number[];
  /** So many of them are always sent: with one beyond the anchor on each side, a client that pages always gets on. */
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

/** The longest beginning of the ids whose bytes stay within the budget; the sizes may end early. */
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

/** What is left of the found messages; where some were dropped, the end was not reached on that side. */
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
