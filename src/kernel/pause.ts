/** Named points at which a test can stop a process for good, so that a kill hits exactly that line. */
export type PausePoint =
  | 'before-commit'
  | 'after-commit'
  | 'before-publish'
  | 'mid-call'
  | 'before-finish'
  | 'before-notice'
  | 'after-notice';

export type Pause = (point: PausePoint) => Promise<void>;

/** Each entry of PAUSE_AT is a point, or point:n to pause the n-th time it is reached. */
export function pauseAt(points: readonly string[]): Pause {
  if (points.length === 0) return () => Promise.resolve();
  const left = new Map(points.map((entry) => [entry.split(':')[0], Number(entry.split(':')[1] ?? 1)]));
  return (point) => {
    const passes = left.get(point);
    if (passes === undefined) return Promise.resolve();
    left.set(point, passes - 1);
    if (passes > 1) return Promise.resolve();
    // Tests wait for this line. It goes to stdout directly, so that no log level hides it.
    process.stdout.write(`paused at ${point}\n`);
    return new Promise(() => {});
  };
}
