/** The service worker: without it the pages work as well, but neither start without a network nor receive pushes. */

const LOOK_EVERY_MS = 3_600_000;

/** Later than all that the page needs. A page that stays open for days looks for a new worker by itself. */
export function registerWorker(scope: '/' | '/portal'): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/worker.js', { scope, updateViaCache: 'none' }).then(
    (registration) => setInterval(() => void registration.update().catch(() => undefined), LOOK_EVERY_MS),
    () => undefined,
  );
}
