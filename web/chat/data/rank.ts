/** How well a name fits what somebody typed: the rule of all fields that offer matches. */

/** 0 is best. Undefined if the name does not fit. */
export function rankOfName(name: string, wanted: string): number | undefined {
  const lower = name.toLowerCase();
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  if (lower.split(/[\s_./-]+/).some((word) => word.startsWith(wanted))) return 2;
  return lower.includes(wanted) ? 3 : undefined;
}

interface Matching<Item> {
  readonly nameOf: (item: Item) => string;
  /** Among names that fit equally well, a higher value comes first. */
  readonly weightOf?: (item: Item) => number;
  readonly most: number;
}

/** The best matches first; otherwise the order stays. */
export function bestMatches<Item>(
  items: Iterable<Item>,
  typed: string,
  { nameOf, weightOf = () => 0, most }: Matching<Item>,
): Item[] {
  const wanted = typed.trim().toLowerCase();
  return [...items]
    .flatMap((item) => {
      const rank = rankOfName(nameOf(item), wanted);
      return rank === undefined ? [] : [{ item, rank: wanted === '' ? 0 : rank, weight: weightOf(item) }];
    })
    .toSorted((a, b) => a.rank - b.rank || b.weight - a.weight)
    .slice(0, most)
    .map(({ item }) => item);
}
