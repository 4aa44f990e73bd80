/** A timer for long delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const AGAIN_MS = 60_000;

/**
 * Calls `ring` after the delay, which may be longer than Node's maximum, then every minute until cancelled. Does not keep
 * the process alive.
 */
export function alarmIn(milliseconds: number, ring: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    const first = Math.min(left, MAX_TIMER_MS);
    timer = setTimeout(() => {
      wait(left > first ? left - first : AGAIN_MS);
      if (left === first) ring();
    }, first).unref();
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
