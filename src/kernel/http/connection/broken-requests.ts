/** Answers input that is not valid HTTP. Such input reaches no product, so the body suits both products' clients. */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from './lingering-response';
import { requestIdOf, type AccessLog } from '../access-log';

const STATUSES: Readonly<Record<string, [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
};
const OTHERWISE: [number, string] = [400, 'The request is not valid HTTP'];
/** The client ended its side in the middle of a request. */
const HUNG_UP = 'HPE_INVALID_EOF_STATE';
/** Bytes after a request with `Connection: close`. */
const AFTER_CLOSE = 'HPE_CLOSED_CONNECTION';
/** How many such bytes are read and dropped while their request is answered: a close over unread bytes loses the answer. */
const MAX_DROPPED_BYTES = 1024 * 1024;
/** How long a client may keep its side open after the response. */
const LINGER_MS = 5000;

export function answerBrokenRequests(server: Server, accessLog: AccessLog): void {
  const answered = new WeakSet<Socket>();
  refuseTunnels(server, accessLog);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === AFTER_CLOSE) return dropRest(socket);
    // Everything else on this connection is broken too.
    if (answered.has(socket)) return;
    answered.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, detail] = STATUSES[error.code ?? ''] ?? OTHERWISE;
    const body = bodyOf(status, detail);
    const response = responseUnderWay(socket);
    if (!response) return answerRaw(accessLog, socket, status, body);
    // Only if this request's body is the broken part can it still be answered. Otherwise the bytes would look like part
    // of another response.
    if (response.req.complete || response.headersSent || error.code === HUNG_UP) return void socket.destroy();
    response.writeHead(status, { ...headersOf(body), Connection: 'close' });
    response.end(body);
  });
}

/** The request before these bytes is answered, and then the connection is closed. */
function dropRest(socket: Socket): void {
  const before = readBefore.get(socket) ?? socket.bytesRead;
  readBefore.set(socket, before);
  if (!responseUnderWay(socket) || socket.bytesRead - before > MAX_DROPPED_BYTES) socket.destroy();
}
const readBefore = new WeakMap<Socket, number>();

/** RFC 9112, 3.2: two Host headers are a mistake, even if they are the same. Node keeps only the first. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Call this once all listeners for requests are added. They get only the requests with one Host header. */
export function refuseTwoHosts(server: Server, accessLog: AccessLog): void {
  const takers = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasTwoHosts(request)) return takers.forEach((taker) => void taker.call(server, request, response));
    const body = bodyOf(400, 'The request has more than one Host header');
    response.writeHead(400, { ...headersOf(body), Connection: 'close' });
    response.end(body);
    noteBroken(accessLog, 400, request.method);
  });
}

/** Without a listener, Node closes CONNECT requests silently. */
function refuseTunnels(server: Server, accessLog: AccessLog): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    if (responseUnderWay(socket)) return void socket.destroy();
    answerRaw(accessLog, socket, 405, bodyOf(405, 'CONNECT is not served here'));
  });
}

function bodyOf(status: number, detail: string): string {
  const title = STATUS_CODES[status]!;
  const asChat = { result: 'error', msg: detail, code: 'BAD_REQUEST' };
  return JSON.stringify({ ...asChat, type: 'about:blank', title, status, detail });
}

const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
});

function answerRaw(accessLog: AccessLog, socket: Socket, status: number, body: string): void {
  const lines = Object.entries({ ...headersOf(body), Connection: 'close' }).map((line) => line.join(': '));
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]!}`, ...lines].join('\r\n')}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  noteBroken(accessLog, status);
}

function noteBroken(accessLog: AccessLog, status: number, method = '-'): void {
  const unknown = { method, shownPath: '-', product: 'kernel', route: 'none', isFrequent: false };
  accessLog.note({ ...unknown, requestId: requestIdOf(undefined), began: performance.now() }, status);
}
