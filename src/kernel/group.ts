/** Sorts items into groups by key, keeping the order within each (Map.groupBy, which Node 20 lacks). */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** In their order. */
export const idsOf = <Id>(items: readonly { readonly id: Id }[]): Id[] => items.map(({ id }) => id);
