/** Pseudo-random numbers, the same in every run with the same seed. */

export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number below this one. */
  below(end: number): number;
  /** An exponentially distributed waiting time with this mean. */
  exponential(mean: number): number;
}

/** Mulberry32: 32 bits of state suffice for some million draws. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (end) => Math.floor(next() * end),
    exponential: (mean) => -mean * Math.log(1 - next()),
  };
}
