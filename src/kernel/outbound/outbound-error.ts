/** Why a request to another server came to nothing. */
export type OutboundTrouble =
  /** Not an address of http or https. */
  | 'bad-url'
  /** The host is none that this server may connect to. */
  | 'forbidden'
  /** The name has no address. */
  | 'unknown-host'
  /** Nobody answers there, or the connection was cut. */
  | 'unreachable'
  | 'timeout'
  /** Too many redirects, or one that leads nowhere. */
  | 'redirects'
  | 'too-large'
  /** The answer is no HTTP, or is packed in a way that nobody asked for. */
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
