/** Parts of a page that are loaded when they are first shown. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { pause } from './http/request';

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** During a rolling update nodes differ, so a reloaded page may get the previous release again. */
const RELOAD_EVERY_MS = 30_000;
const RELOADED_AT = 'partyline:reloaded-at';

/** A component of a module: `lazyPart(() => import('./people'), 'People')`. */
export function lazyPart<Props, Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadPart(load))[name] }));
}

/**
 * Loads a part with retries. If the server has a new release, the old files are gone, so the page reloads itself;
 * drafts survive. It also does when the server is back: browsers remember of a file that it could not be had, and do not
 * ask for it again. Other failures are retried with backoff.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  let [hasFailed, wasAway] = [false, false];
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, MAX_PAUSE_MS)) {
    try {
      const part = await load();
      if (hasFailed) await askForStylesAgain();
      return part;
    } catch {
      hasFailed = true;
      const release = await releaseThere();
      if (release === 'another' || (release === 'same' && wasAway)) reloadOnce();
      wasAway ||= release === undefined;
      await Promise.race([pause(ms), network()]);
    }
  }
}

/** The styles of a part are asked for once, also if they could not be had. */
async function askForStylesAgain(): Promise<void> {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(({ sheet }) => !sheet);
  await Promise.all(
    missing.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const settled = new Promise<void>((resolve, reject) => {
        again.onload = () => resolve();
        again.onerror = () => reject(new Error(`${again.href} could not be had`));
      });
      link.replaceWith(again);
      return settled;
    }),
  );
}

/** Resolves when the browser has a network again. */
const network = (): Promise<void> =>
  new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true });
  });

/** Whether the server's page has other scripts than this one. Undefined if the server cannot be reached. */
async function releaseThere(): Promise<'another' | 'same' | undefined> {
  const scripts = [...document.querySelectorAll('script[type=module]')].map((each) => each.getAttribute('src') ?? '');
  try {
    const headers = { Accept: 'text/html' };
    const answer = await fetch(location.pathname, { cache: 'no-store', headers, signal: AbortSignal.timeout(10_000) });
    const page = await answer.text();
    if (!answer.ok) return undefined;
    return scripts.every((script) => page.includes(script)) ? 'same' : 'another';
  } catch {
    return undefined;
  }
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < RELOAD_EVERY_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
}
