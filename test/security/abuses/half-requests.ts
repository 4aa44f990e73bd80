/** Connections that send a little of a request now and then, and never its end. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Abuse } from '../abuse';

const CONNECTIONS = 500;
const DRIP_MS = 1000;

/** The headers never end, or a body is announced that never comes. */
const BEGINNINGS = [
  'GET /api/v1/users/me HTTP/1.1\r\nHost: x\r\n',
  'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
  'POST /company HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n',
];

export const halfRequests: Abuse = {
  name: 'half-requests',
  summary: '500 connections that each send a byte a second and never a whole request',
  async run({ port }, signal) {
    const counts = { connections: 0, bytes: 0, ended: 0 };
    const sockets = new Set<Socket>();
    const open = () => {
      const socket = connect(port, '127.0.0.1');
      counts.connections += 1;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        counts.ended += 1;
      });
      socket.write(BEGINNINGS[counts.connections % BEGINNINGS.length]!);
    };
    while (!signal.aborted) {
      while (sockets.size < CONNECTIONS) open();
      for (const socket of sockets) socket.write('x');
      counts.bytes += sockets.size;
      await wait(DRIP_MS, undefined, { signal }).catch(() => undefined);
    }
    for (const socket of sockets) socket.destroy();
    return counts;
  },
};
