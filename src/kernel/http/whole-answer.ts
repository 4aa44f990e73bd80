/**
 * A whole answer in one write. Node still minds the connection: whose turn it is, how long it is kept, what is left over when
 * it is slow. Only the bytes of the head are put together here, as Node would, because that and writing them apart from the
 * body cost more than everything else about a small answer.
 */
import type { ServerResponse } from 'node:http';

type Headers = readonly (readonly [string, string])[];

/** Of a response's own fields those that say that its head has left. */
interface Sent {
  _header: string;
  _headerSent: boolean;
}

export interface WholeAnswer {
  /** Says whether it was sent: one that has to wait its turn, or ends its connection, is not. */
  send(response: ServerResponse, requestId: string, body: string): boolean;
}

/** For answers of status 200 with these headers, and ASCII bodies. */
export function wholeAnswers(headers: Headers, keepAliveMs: number): WholeAnswer {
  const before = `HTTP/1.1 200 OK\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}X-Request-Id: `;
  const kept = keepAliveMs > 0 ? `Keep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n` : '';
  const after = `Connection: keep-alive\r\n${kept}\r\n`;
  return {
    send(response, requestId, body) {
      const { socket } = response;
      // Without a socket it is not its turn yet.
      if (!response.shouldKeepAlive || !socket?.writable) return false;
      const head = `${before}${requestId}\r\nContent-Length: ${body.length}\r\nDate: ${dateNow()}\r\n${after}`;
      const sent = response as unknown as Sent;
      sent._header = head;
      sent._headerSent = true;
      socket.write(head + body, 'latin1');
      response.end();
      return true;
    },
  };
}

let [second, date] = [0, ''];

function dateNow(): string {
  const now = Date.now();
  if (now - second >= 1000 || now < second) {
    second = now - (now % 1000);
    date = new Date(second).toUTCString();
  }
  return date;
}
