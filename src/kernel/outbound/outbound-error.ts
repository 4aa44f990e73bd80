/** Why a request to another server failed. */
import type { TooLarge } from './read-body';

export type OutboundTrouble =
  /** Not an http or https URL. */
  | 'bad-url'
  /** This server may not connect to the host. */
  | 'forbidden'
  /** The name has no address. */
  | 'unknown-host'
  /** Nothing answers there, or the connection was cut. */
  | 'unreachable'
  | 'timeout'
  /** Too many redirects, or an invalid one. */
  | 'redirects'
  | 'too-large'
  /** The response is not HTTP, or has an encoding that was not requested. */
  | 'broken'
  /** This server has too many requests under way. */
  | 'busy';

export class OutboundError extends Error {
  readonly trouble: OutboundTrouble;

  constructor(trouble: OutboundTrouble, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.trouble = trouble;
  }
}

/** Limits on what another server may send, and on how long it may take. */
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
