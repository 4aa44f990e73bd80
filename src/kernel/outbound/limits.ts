/** Limits on what another server may send, and on how long it may take. */
import type { TooLarge } from './read-body';

export interface OutboundLimits {
  readonly headerBytes: number;
  readonly bodyBytes: number;
  readonly tooLarge: TooLarge;
  /** For all redirects together, including the wait for a place. */
  readonly totalMs: number;
  /** Without a byte from the other end. */
  readonly idleMs: number;
  readonly redirects: number;
}

export const USUAL_LIMITS: OutboundLimits = {
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  tooLarge: 'refuse',
  totalMs: 10_000,
  idleMs: 5000,
  redirects: 5,
};
