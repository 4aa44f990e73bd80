/** Answers input that is not valid HTTP. Such input reaches no product, so the body suits both products' clients. */
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from './lingering-response';
import { requestIdOf, type AccessLog } from './access-log';

const STATUSES: Readonly<Record<string, [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
};
const OTHERWISE: [number, string] = [400, 'The request is not valid HTTP'];
/** The client ended its side in the middle of a request. */
const HUNG_UP = 'HPE_INVALID_EOF_STATE';
/** How long a client may keep its side open after the response. */
const LINGER_MS = 5000;

export function answerBrokenRequests(server: Server, accessLog: AccessLog): void {
  const answered = new WeakSet<Socket>();
  refuseTunnels(server, accessLog);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
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
  const unknown = { method: '-', shownPath: '-', product: 'kernel', route: 'none', isFrequent: false };
  accessLog.note({ ...unknown, requestId: requestIdOf(undefined), began: performance.now() }, status);
}
