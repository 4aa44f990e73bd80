/** Waits until a condition holds; fails with the last value. For what another process does, not for guessing times. */
import { setTimeout as wait } from 'node:timers/promises';

/** So long that it is exceeded only by what never happens, even on a busy machine. */
export const PATIENCE_MS = 180_000;
/** And after at least this many checks: a machine that stood still for minutes has done nothing meanwhile. */
const MIN_LOOKS = 100;
/** A condition that does not hold soon is checked less often, because checking takes CPU time from the work. */
const LOOKS_MS = { least: 20, most: 100 };

export async function until<T>(
  look: () => T | Promise<T>,
  holds: (value: T) => boolean = Boolean,
  milliseconds = PATIENCE_MS,
): Promise<T> {
  const start = Date.now();
  for (let looks = 1; ; looks += 1) {
    const value = await look();
    if (holds(value)) return value;
    const waited = Date.now() - start;
    if (waited > milliseconds && looks >= MIN_LOOKS)
      throw new Error(`it did not come to hold within ${milliseconds} ms; last: ${JSON.stringify(value)}`);
    await wait(Math.min(LOOKS_MS.least + waited / 20, LOOKS_MS.most));
  }
}
