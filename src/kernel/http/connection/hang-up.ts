/**
 * Signals that nobody waits for a request any more, because its client hung up or the process drains, so that pending
 * work can stop. AbortSignal.any is no substitute: it keeps every aborted signal, and all that it references, for good.
 */
import type { ServerResponse } from 'node:http';

/** Created once: an error per request would record a stack each time. */
const OVER = new DOMException('nobody waits any more', 'AbortError');

export function openHangUps(draining: AbortSignal): (response: ServerResponse) => AbortSignal {
  const waiting = new Set<AbortController>();
  draining.addEventListener('abort', () => {
    for (const each of waiting) each.abort(OVER);
  });
  return (response) => {
    // A response emits its close once, perhaps before anybody asks.
    if (draining.aborted || response.destroyed) return AbortSignal.abort(OVER);
    const gone = new AbortController();
    waiting.add(gone);
    response.once('close', () => {
      waiting.delete(gone);
      gone.abort(OVER);
    });
    return gone.signal;
  };
}
