/**
 * Ends work for any of several reasons. Not by AbortSignal.any: it holds its sources weakly, so that a deadline may be
 * collected before it comes, and it leaves something behind in a signal that lasts as long as the process.
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
