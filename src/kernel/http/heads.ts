/**
 * Asks about each head that Node's parser of a connection has read, before Node makes a request of it: an object with
 * streams and listeners of its own, which nobody would use.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Of Node's own fields of a parser those that are used here, and under a number each those whom it tells of events. */
export interface Parser {
  readonly socket: Socket | null;
  incoming: IncomingMessage | null;
  onIncoming: (request: IncomingMessage, isKept: boolean) => number;
  [event: number]: TakeHead | undefined;
}

// oxlint-disable-next-line max-params -- as the parser calls it
type TakeHead = (
  this: Parser,
  major: number,
  minor: number,
  lines: string[] | undefined,
  method: number,
  url: string | undefined,
  status: unknown,
  reason: unknown,
  isUpgrade: boolean,
  isKept: boolean,
) => number;

/** Header names and values in turn, the method as the parser numbers it. Who says yes has taken all of it. */
type Take = (lines: readonly string[], method: number, url: string) => boolean;

/** Only heads of HTTP/1.1 on connections that are kept. Gives what undoes it. */
export function watchHeads(parser: Parser, take: Take): () => void {
  const { kOnHeadersComplete: event } = parser.constructor as { kOnHeadersComplete?: number };
  const ordinary = event === undefined ? undefined : parser[event];
  if (event === undefined || typeof ordinary !== 'function') return () => {};
  const { socket } = parser;
  // oxlint-disable-next-line max-params -- as the parser calls it
  const ours: TakeHead = function (major, minor, lines, method, url, status, reason, isUpgrade, isKept) {
    // Node gives the parser to another connection when this one has ended, or is no longer HTTP.
    if (isUpgrade || this.socket !== socket) undo();
    else if (isKept && minor === 1 && lines && url !== undefined && take(lines, method, url)) {
      this.incoming = null;
      return 0;
    }
    return ordinary.call(this, major, minor, lines, method, url, status, reason, isUpgrade, isKept);
  };
  const undo = () => {
    if (parser[event] === ours) parser[event] = ordinary;
  };
  parser[event] = ours;
  return undo;
}
