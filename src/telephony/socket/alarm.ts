/** An alarm that may ring later than the longest timer of Node. */

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const AGAIN_MS = 60_000;

/** Rings, and again every minute until it is called off by what it gives. It keeps no process alive. */
export function alarmIn(milliseconds: number, ring: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    const first = Math.min(left, LONGEST_TIMER_MS);
    timer = setTimeout(() => {
      wait(left > first ? left - first : AGAIN_MS);
      if (left === first) ring();
    }, first).unref();
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
