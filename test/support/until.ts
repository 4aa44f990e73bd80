/** Waits until something holds; fails with what it last saw. For what another process does, not for guessing times. */
import { setTimeout as wait } from 'node:timers/promises';

/** So long that only what will never hold is given up, on a machine that others use too. */
const PATIENCE_MS = 90_000;

export async function until<T>(
  look: () => T | Promise<T>,
  holds: (value: T) => boolean = Boolean,
  milliseconds = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > end)
      throw new Error(`it did not come to hold within ${milliseconds} ms; last: ${JSON.stringify(value)}`);
    await wait(20);
  }
}
