/** Medians, percentiles and ratios of measurements. Pure. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('there is no median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The smallest value that at least this share of all values do not exceed (nearest rank). */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new Error('there is no percentile of nothing');
  const rank = Math.ceil(share * sorted.length);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]!;
}

export function latency(milliseconds: readonly number[]): Latency {
  const sorted = Float64Array.from(milliseconds).sort();
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), p99: percentile(sorted, 0.99) };
}

/** Ours over the limit, repeat by repeat, because noise affects both sides of a pair alike. */
export function ratios(ours: readonly number[], limit: readonly number[]): number[] {
  if (ours.length !== limit.length)
    throw new Error(`${ours.length} measurements cannot be paired with ${limit.length}`);
  return ours.flatMap((value, index) => (limit[index] === 0 ? [] : [value / limit[index]!]));
}
