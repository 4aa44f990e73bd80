/** Answers requests that ask for another protocol, such as h2c, as if they had not asked. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from './lingering-response';

/** To be called when all who take upgrades listen. They are asked only for those that the predicate names. */
export function refuseUpgrades(server: Server, isTaken: (request: IncomingMessage) => boolean): void {
  const takers = server.listeners('upgrade');
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Its answer would overtake the one before.
    if (responseUnderWay(socket)) return void socket.destroy();
    if (isTaken(request)) for (const taker of takers) taker.call(server, request, socket, head);
    else answerOrdinarily(server, request, socket, head);
  });
}

/**
 * Once somebody listens for upgrades, Node answers none of them itself, and lets go of the connection. So the connection
 * is given to the server again, with a head that asks for nothing special before whatever else has come. It serves this
 * one request: a connection that is given again and again would gather listeners.
 */
// oxlint-disable-next-line max-params -- as Node tells of it
function answerOrdinarily(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]));
  server.emit('connection', socket);
}

/** They speak of the connection as it was. */
const LEFT_OUT: ReadonlySet<string> = new Set(['upgrade', 'connection', 'keep-alive', 'http2-settings']);

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method!} ${url!} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!LEFT_OUT.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]!}`);
  }
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
}
