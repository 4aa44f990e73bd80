/**
 * Whether this page is the one to notify in. Of the tabs of a browser it is the one that was used last: it holds a lock,
 * which passes on when it is closed. Another device is in use if the server heard of the reader from there, after it
 * last did from here.
 */
import { chat } from '../data/store';

/** A user without presence for this long is away. */
export const AWAY_SECONDS = 140;

/** Changes with what the lock means: tabs of two releases may be open. */
const NAME = 'partyline-last-used-1';

/** Until the browser has answered, this one may be. */
let isLastUsed = true;

/** Follows which tab of the account is used. Returns what ends that. */
export function followUse(account: number): () => void {
  // Browsers have locks only on pages that came over TLS, or from the same machine.
  if (!('locks' in navigator)) return () => undefined;
  const closed = new AbortController();
  const { signal } = closed;
  let waiting = new AbortController();
  let isWanted = document.hasFocus();
  const hold = (held: Lock | null): Promise<void> =>
    new Promise((resolve) => {
      isLastUsed = held !== null;
      isWanted = false;
      if (held === null) resolve();
      else signal.addEventListener('abort', () => resolve());
    });
  const follow = async (): Promise<void> => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      waiting = new AbortController();
      const options = isWanted ? { steal: true } : isFirst ? { ifAvailable: true } : { signal: waiting.signal };
      // Another tab took it, or this one is to take it.
      await navigator.locks.request(`${NAME}-${account}`, options, hold).catch(() => undefined);
      isLastUsed = false;
    }
  };
  const take = (): void => {
    if (isLastUsed) return;
    isWanted = true;
    waiting.abort();
  };
  void follow();
  addEventListener('focus', take, { signal });
  signal.addEventListener('abort', () => waiting.abort());
  return () => closed.abort();
}

/**
 * When the server last took this page for active, by its own clock in seconds. Until it has answered, what it tells of the
 * reader may be what this page has reported.
 */
let activeHereAt = Infinity;

/** The page reports that it is active, or not. Returns what takes the server's answer. */
export function reportHere(isActive: boolean): (at: number) => void {
  if (isActive) activeHereAt = Infinity;
  return (at) => {
    if (isActive) activeHereAt = at;
    else if (activeHereAt === Infinity) activeHereAt = 0;
  };
}

/** Clocks of servers differ by less. */
const CLOCKS_SECONDS = 2;

function isElsewhereActive(now: number): boolean {
  const { presence, ownId } = chat();
  const own = presence.get(ownId);
  if (own?.status !== 'active' || now - own.at > AWAY_SECONDS) return false;
  return own.at > activeHereAt + CLOCKS_SECONDS;
}

/** Nobody is told here of what they see here, in another tab, or on another device. */
export const isToldHere = (): boolean => !document.hasFocus() && isLastUsed && !isElsewhereActive(Date.now() / 1000);
