/**
 * Runs work with an abort controller that any of several signals aborts. AbortSignal.any is no substitute. It holds its
 * sources weakly, so a deadline may be collected before it fires, and it leaks into signals that live as long as the
 * process.
 */
export async function endingWith<T>(
  reasons: readonly AbortSignal[],
  work: (ending: AbortController) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const reason of reasons) reason.addEventListener('abort', end);
  if (reasons.some(({ aborted }) => aborted)) end();
  try {
    return await work(ending);
  } finally {
    for (const reason of reasons) reason.removeEventListener('abort', end);
  }
}

/**
 * Runs work with a signal that aborts when the time is over, or when one of the reasons does. A bare
 * AbortSignal.timeout is no substitute: once nothing but the work holds it, garbage collection may take the timer.
 */
export function endingWithin<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  reasons: readonly AbortSignal[] = [],
): Promise<T> {
  return endingWith(reasons, async (ending) => {
    const timer = setTimeout(
      () => ending.abort(new DOMException(`not done within ${milliseconds} ms`, 'TimeoutError')),
      Math.max(1, Math.round(milliseconds)),
    );
    try {
      return await work(ending.signal);
    } finally {
      clearTimeout(timer);
    }
  });
}
