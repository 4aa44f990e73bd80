/** Answers requests for another protocol, such as h2c, as ordinary requests. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { hasTwoHosts } from './broken-requests';
import { responseUnderWay } from './lingering-response';

/** Call this once all upgrade listeners are added. They get only the requests that the predicate accepts. */
export function refuseUpgrades(server: Server, isTaken: (request: IncomingMessage) => boolean): void {
  const takers = server.listeners('upgrade');
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Its response would overtake the one before.
    if (responseUnderWay(socket)) return void socket.destroy();
    if (isTaken(request) && !hasTwoHosts(request))
      for (const taker of takers) taker.call(server, request, socket, head);
    else answerOrdinarily(server, request, socket, head);
  });
}

/**
 * Once a listener for upgrades exists, Node answers none of them itself and detaches the connection. So the connection
 * is given to the server again, with a plain request head put before the bytes that follow. It serves this one request:
 * a connection that is given back repeatedly would collect listeners.
 */
// oxlint-disable-next-line max-params -- the arguments of Node's event
function answerOrdinarily(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]));
  server.emit('connection', socket);
}

/** Headers that describe the connection as it was. */
const LEFT_OUT: ReadonlySet<string> = new Set(['upgrade', 'connection', 'keep-alive', 'http2-settings']);

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method!} ${url!} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!LEFT_OUT.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]!}`);
  }
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
}
