/** Why a request to another server failed. */
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
