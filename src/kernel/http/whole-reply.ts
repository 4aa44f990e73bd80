/**
 * A whole reply in one write. Node still minds the connection: whose turn it is, how long it is kept, what is left over when
 * it is slow. Only the bytes of the head are put together here, as Node would, because that and looking every header over
 * cost more than everything else about a small answer.
 */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { hasLongRest } from './lingering-response';
import { endOfHead } from './whole-answer';

/** Of a response's own fields those that say that its head has left. */
interface Sent {
  _header: string;
  _headerSent: boolean;
}

export interface WholeReply {
  readonly status: number;
  /** Of the head, each with its end. They leave as they are: never what a caller has said. */
  readonly lines: string;
  /** Empty where there is none. */
  readonly body: string;
  /** Of the body. */
  readonly bytes: number;
}

export interface WholeReplies {
  /** Says whether it was sent: one that has to wait its turn, or ends its connection, is not. */
  send(response: ServerResponse, reply: WholeReply): boolean;
}

export const lineOf = (name: string, value: string): string => `${name}: ${value}\r\n`;

export const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => lineOf(name, value))
    .join('');

export function wholeReplies(keepAliveMs: number): WholeReplies {
  const end = endOfHead(keepAliveMs);
  return {
    send(response, { status, lines, body, bytes }) {
      const { socket, req: request } = response;
      // Without a socket it is not its turn yet; an old client may take the end of the connection for that of the answer.
      if (!response.shouldKeepAlive || !socket?.writable || request.httpVersionMinor === 0) return false;
      if (request.method === 'HEAD' || hasLongRest(request)) return false;
      const head = `${firstLineOf(status)}${lines}${end()}`;
      const sent = response as unknown as Sent;
      sent._header = head;
      sent._headerSent = true;
      socket.write(head + body, bytes === body.length ? 'latin1' : 'utf8');
      response.end();
      return true;
    },
  };
}

const firstLines = new Map<number, string>();

function firstLineOf(status: number): string {
  let line = firstLines.get(status);
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    firstLines.set(status, line);
  }
  return line;
}
