/** The values of a chart, and their summary in words. */
export type Value = number | null;

export interface Extremes {
  readonly newest: number;
  readonly highest: number;
  readonly lowest: number;
  /** The index of the highest value. */
  readonly highestAt: number;
}

/** Undefined if there are no samples. */
export function extremesOf(values: readonly Value[]): Extremes | undefined {
  const known = values.filter((value) => value !== null);
  const newest = known.at(-1);
  if (newest === undefined) return undefined;
  const highest = Math.max(...known);
  return { newest, highest, lowest: Math.min(...known), highestAt: values.indexOf(highest) };
}
