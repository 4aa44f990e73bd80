/** A server that is no longer the primary refuses writes and ends blocking reads. Reconnecting may find the primary. */
import type { RedisOptions } from './address';

const DEMOTED = /\bREADONLY\b|^UNBLOCKED\b/;
/** Errors of a cluster's server that does not have the slot, or not all of it, or may not serve it now. */
const MOVED = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN)\b/;
/** How often to reconnect if the address keeps leading to a replica, which would refuse at once each time. */
const AGAIN_MS = 500;

/** Reconnects within a second after Redis is back, without a storm of attempts. */
export const backOff = (attempt: number): number =>
  Math.min(50 * 2 ** Math.min(attempt, 5), 1000) * (0.75 + Math.random() / 2);

interface Leaving {
  /** The command fails, and its sender decides. */
  readonly once: RedisOptions;
  /** The command was refused, so nothing was done: it is sent again to the primary of that time. */
  readonly patient: RedisOptions;
}

/** Options for all connections of a process. */
export function leaveDemoted(isCluster: boolean): Leaving {
  let demotedAt = 0;
  function isDemoted(error: Error): boolean {
    if (!DEMOTED.test(error.message) && !(isCluster && MOVED.test(error.message))) return false;
    demotedAt = Date.now();
    return true;
  }
  function retryStrategy(attempt: number): number {
    const isRecent = Date.now() - demotedAt < AGAIN_MS * 2;
    return Math.max(backOff(attempt), isRecent ? AGAIN_MS : 0);
  }
  return {
    once: { retryStrategy, reconnectOnError: (error) => isDemoted(error) },
    patient: { retryStrategy, reconnectOnError: (error) => (isDemoted(error) ? 2 : false) },
  };
}
