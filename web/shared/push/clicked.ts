/**
 * What the service worker says. What was clicked in a notification is heard from the page's beginning and kept until the
 * page can open it: somebody may click while the page is still loading, or has nobody signed in.
 */

/** From web/worker/notices.ts. */
export interface Clicked {
  readonly open: string;
  readonly isReply: boolean;
}

interface FromWorker extends Partial<Clicked> {
  /** It asks where the page is. */
  readonly where?: boolean;
}

let kept: Clicked | undefined;
let opens: ((clicked: Clicked) => void) | undefined;

navigator.serviceWorker?.addEventListener('message', ({ data, ports }: MessageEvent<FromWorker | null>) => {
  if (data?.where === true) ports[0]?.postMessage(location.pathname);
  if (data?.open === undefined) return;
  const clicked = { open: data.open, isReply: data.isReply === true };
  if (opens) opens(clicked);
  else kept = clicked;
});

/** Returns a function that ends it. */
export function openClicked(open: (clicked: Clicked) => void): () => void {
  opens = open;
  if (kept) open(kept);
  kept = undefined;
  return () => {
    if (opens === open) opens = undefined;
  };
}
