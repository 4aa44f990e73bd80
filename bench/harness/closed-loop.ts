/** A closed loop with fixed concurrency, each lane restarting when it is done, for a duration or a count. */
import type { Measurement } from './benchmark';
import { latency } from './statistics';

export interface Loop {
  readonly concurrency: number;
  readonly milliseconds?: number;
  readonly count?: number;
}

export async function closedLoop(loop: Loop, once: (index: number) => Promise<unknown>): Promise<Measurement> {
  const { concurrency, milliseconds = Infinity, count = Infinity } = loop;
  const took: number[] = [];
  const began = performance.now();
  const end = began + milliseconds;
  let next = 0;
  async function lane(): Promise<void> {
    for (let now = performance.now(); now < end && next < count; now = performance.now()) {
      await once(next++);
      took.push(performance.now() - now);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane));
  return measured(took, performance.now() - began);
}

export function measured(took: readonly number[], milliseconds: number): Measurement {
  return { units: took.length, figures: { rate: (took.length / milliseconds) * 1000, ...latency(took) } };
}
