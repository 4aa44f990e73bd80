/** Answers requests whose body has not fully arrived, so that the client can read the response without delay. */
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../incoming';

/** The rest of a body declared at most this large is read, and the connection serves the next request. */
const SMALL_BODY_BYTES = 65_536;
/** The limits for a client that sends its whole body before it reads the response. */
const MAX_LINGER_MS = 5000;
const MAX_LINGER_BYTES = 32 * 1024 * 1024;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type Done = () => void;

/** The newest response of each connection. */
const newest = new WeakMap<Socket, LingeringResponse | undefined>();
/** Connections whose close has been announced. */
const closing = new WeakSet<Socket>();

/** The newest response that has not left yet. Responses leave in order, so without one none is under way. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const response = newest.get(socket);
  return response?.writableFinished ? undefined : response;
}

/** RFC 9112, 9.6: after a response that announces the close, no request of the same connection is processed. */
export const isClosing = (socket: Socket): boolean => closing.has(socket);

/** Whether the end of the body is far away or unknown, so that the connection cannot wait for it. */
function hasLongRest(request: IncomingMessage): boolean {
  if (request.complete || !hasBody(request)) return false;
  // Chunked bodies declare no length. NaN is not small either.
  return !(Number(request.headers['content-length']) <= SMALL_BODY_BYTES);
}

/** A body that was taken without listening for its end does not report it. */
const isTaken = (request: IncomingMessage): boolean =>
  request.readableEnded || (request.complete && request.readableLength === 0);

/** A connection that waits for its next request would keep all of its last one in memory. */
function forget(this: LingeringResponse): void {
  const { socket } = this.req;
  if (newest.get(socket) === this) newest.set(socket, undefined);
}

/**
 * If a long body is still arriving, the headers announce the close and the response leaves at once. The rest of the
 * body is read for a while before the connection ends: closing it over unread bytes would lose the response.
 */
export class LingeringResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #isLingering = false;

  constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...given);
    newest.set(this.req.socket, this);
    this.on('close', forget);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (hasLongRest(this.req)) this.setHeader('Connection', 'close');
    return super.writeHead(status, reason as string, headers);
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Done, done?: Done): this {
    const { req: request } = this;
    // Nothing more comes of a body that has been taken, or whose client is gone.
    const isRead = !hasBody(request) || isTaken(request) || request.destroyed;
    if (this.#isLingering || this.writableEnded || isRead) {
      return super.end(chunk, encoding as BufferEncoding, done);
    }
    const isLong = hasLongRest(request);
    // A reader that gave the body up may have left it paused, or piped into a dead stream.
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
    // Node does this for a response written in one piece: the client knows where it ends before we hang up.
    if (!this.headersSent && bytes.length > 0) this.setHeader('Content-Length', Buffer.byteLength(bytes));
    if (bytes.length > 0) this.write(bytes, typeof encoding === 'string' ? encoding : 'utf8');
    else this.flushHeaders();
    afterRest(request, () => void super.end());
    return this;
  }
}

/** Calls back when the rest has arrived, when the client is gone, or when a limit is reached. */
function afterRest(request: IncomingMessage, then: () => void): void {
  let left = MAX_LINGER_BYTES;
  const timer = setTimeout(over, MAX_LINGER_MS);
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
