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
