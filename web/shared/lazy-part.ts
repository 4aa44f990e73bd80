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
 * drafts survive. Other failures are retried with backoff.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, MAX_PAUSE_MS)) {
    try {
      return await load();
    } catch {
      if (await hasNewRelease()) reloadOnce();
      await pause(ms);
    }
  }
}

/** Whether the server's page has other scripts than this one. An unreachable server counts as no. */
async function hasNewRelease(): Promise<boolean> {
  const scripts = [...document.querySelectorAll('script[type=module]')].map((each) => each.getAttribute('src') ?? '');
  try {
    const headers = { Accept: 'text/html' };
    const answer = await fetch(location.pathname, { cache: 'no-store', headers, signal: AbortSignal.timeout(10_000) });
    const page = await answer.text();
    return answer.ok && !scripts.every((script) => page.includes(script));
  } catch {
    return false;
  }
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < RELOAD_EVERY_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
}
