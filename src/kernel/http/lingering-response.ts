/** Answers requests whose body has not arrived in full, so that the client can read the answer and is never kept waiting. */
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './incoming';

/** The rest of a body that is declared to be this small is read, and the connection serves the next request. */
const SMALL_BODY_BYTES = 65_536;
/** A client that sends its whole body before it reads the answer gets this much room to do so. */
const LONGEST_LINGER_MS = 5000;
const MOST_LINGER_BYTES = 32 * 1024 * 1024;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type Done = () => void;

/** The newest response of each connection. */
const newest = new WeakMap<Socket, LingeringResponse>();
/** Connections that were told that they will be closed. */
const closing = new WeakSet<Socket>();

/** The newest response that has not left yet. Responses leave in order, so without one nothing is under way. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const response = newest.get(socket);
  return response?.writableFinished ? undefined : response;
}

/** RFC 9112, 9.6: after an answer that announces the close, no request of the same connection is processed. */
export const isClosing = (socket: Socket): boolean => closing.has(socket);

/** Whether the end of the body is far away or unknown, so that the connection cannot wait for it. */
function hasLongRest(request: IncomingMessage): boolean {
  if (request.complete || !hasBody(request)) return false;
  // Chunks have no declared length. NaN is not small either.
  return !(Number(request.headers['content-length']) <= SMALL_BODY_BYTES);
}

/**
 * If a long body is still arriving, the head announces the close, the answer leaves at once, and the rest of the body is
 * read for a while before the connection ends: a connection that is closed over unread bytes takes the answer with it.
 */
export class LingeringResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #isLingering = false;

  constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...given);
    newest.set(this.req.socket, this);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (hasLongRest(this.req)) this.setHeader('Connection', 'close');
    return super.writeHead(status, reason as string, headers);
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Done, done?: Done): this {
    const { req: request } = this;
    // Of a body that has ended, or whose client is gone, nothing more will come.
    const isRead = !hasBody(request) || request.readableEnded || request.destroyed;
    if (this.#isLingering || this.writableEnded || isRead) {
      return super.end(chunk, encoding as BufferEncoding, done);
    }
    const isLong = hasLongRest(request);
    // Whoever gave the body up may have left it paused, or tied to a reader that is dead.
    request.unpipe();
    request.resume();
    return isLong ? this.#linger(chunk, encoding, done) : super.end(chunk, encoding as BufferEncoding, done);
  }

  #linger(chunk: unknown, encoding: BufferEncoding | Done | undefined, done: Done | undefined): this {
    const { req: request } = this;
    this.#isLingering = true;
    closing.add(request.socket);
    const last = [chunk, encoding, done].find((each) => typeof each === 'function');
    if (last) this.once('finish', last as Done);
    const bytes = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : '';
    // As Node does for an answer that is written in one piece: the client knows where the answer ends before we hang up.
    if (!this.headersSent && bytes.length > 0) this.setHeader('Content-Length', Buffer.byteLength(bytes));
    if (bytes.length > 0) this.write(bytes, typeof encoding === 'string' ? encoding : 'utf8');
    else this.flushHeaders();
    afterRest(request, () => void super.end());
    return this;
  }
}

/** When the rest of the body has arrived, the client has gone, or neither happens within the bounds. */
function afterRest(request: IncomingMessage, then: () => void): void {
  let left = MOST_LINGER_BYTES;
  const timer = setTimeout(over, LONGEST_LINGER_MS);
  function count(bytes: Buffer): void {
    left -= bytes.length;
    if (left < 0) over();
  }
  function over(): void {
    clearTimeout(timer);
    request.off('data', count).off('end', over).off('close', over);
    then();
  }
  request.on('data', count).once('end', over).once('close', over);
}
