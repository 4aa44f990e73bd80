/**
 * Word for those who wait on behalf of a request that nobody waits for it any more: the client is gone, or the process is
 * about to be. Not by AbortSignal.any, which keeps every signal that was ever aborted, and all that hangs on it, for good.
 */
import type { ServerResponse } from 'node:http';
import type { Kernel } from '../kernel';
import { perKernel } from '../per-kernel';

const waiting = perKernel((kernel) => {
  const all = new Set<AbortController>();
  kernel.lifecycle.draining.addEventListener('abort', () => {
    for (const each of all) each.abort(OVER);
  });
  return all;
});

/** Made once: what is thrown for each would write down where. */
const OVER = new DOMException('nobody waits any more', 'AbortError');

export function hangUpOf(kernel: Kernel, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (kernel.lifecycle.draining.aborted) gone.abort(OVER);
  const all = waiting(kernel);
  all.add(gone);
  response.once('close', () => {
    all.delete(gone);
    gone.abort(OVER);
  });
  return gone.signal;
}
