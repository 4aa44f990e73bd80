/** What is not HTTP never reaches a product: it is answered in a body that both products' clients can read. */
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';

const STATUSES: Readonly<Record<string, [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
};
const OTHERWISE: [number, string] = [400, 'The request is not valid HTTP'];

export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, detail] = STATUSES[error.code ?? ''] ?? OTHERWISE;
    const title = STATUS_CODES[status]!;
    const body = JSON.stringify({
      result: 'error',
      msg: detail,
      code: 'BAD_REQUEST',
      type: 'about:blank',
      title,
      status,
      detail,
    });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
