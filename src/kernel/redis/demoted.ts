/** A server that was made a replica refuses writes and ends blocking reads: another connection may find the primary. */
import type { RedisOptions } from './address';

const DEMOTED = /\bREADONLY\b|^UNBLOCKED\b/;
/** A replica at an address that nobody corrects is asked this often, and not as fast as it refuses. */
const AGAIN_MS = 500;

/** Back within a second of Redis being back, but never a storm of attempts. */
export const backOff = (attempt: number): number =>
  Math.min(50 * 2 ** Math.min(attempt, 5), 1000) * (0.75 + Math.random() / 2);

/** Options of all connections of a process. */
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
    /** The command fails; whoever sent it decides. */
    once: { retryStrategy, reconnectOnError: (error) => isDemoted(error) },
    /** The command was refused, so nothing was done: it is sent again to whoever is the primary then. */
    patient: { retryStrategy, reconnectOnError: (error) => (isDemoted(error) ? 2 : false) },
  };
}
