/** A server that became a replica refuses writes and ends blocking reads. Reconnecting may find the primary. */
import type { RedisOptions } from './address';

const DEMOTED = /\bREADONLY\b|^UNBLOCKED\b/;
/** How often to reconnect if the address keeps leading to a replica, which would refuse at once each time. */
const AGAIN_MS = 500;

/** Reconnects within a second after Redis is back, without a storm of attempts. */
export const backOff = (attempt: number): number =>
  Math.min(50 * 2 ** Math.min(attempt, 5), 1000) * (0.75 + Math.random() / 2);

/** Options for all connections of a process. */
export function leaveDemoted(): { once: RedisOptions; patient: RedisOptions } {
  let demotedAt = 0;
  function isDemoted(error: Error): boolean {
    if (!DEMOTED.test(error.message)) return false;
    demotedAt = Date.now();
    return true;
  }
  function retryStrategy(attempt: number): number {
    const isRecent = Date.now() - demotedAt < AGAIN_MS * 2;
    return Math.max(backOff(attempt), isRecent ? AGAIN_MS : 0);
  }
  return {
    /** The command fails, and its sender decides. */
    once: { retryStrategy, reconnectOnError: (error) => isDemoted(error) },
    /** The command was refused, so nothing was done: it is sent again to the primary of that time. */
    patient: { retryStrategy, reconnectOnError: (error) => (isDemoted(error) ? 2 : false) },
  };
}
