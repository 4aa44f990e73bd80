/** Connects clients of the texting socket at a bounded pace, each batch authenticated before the next. */
import { setTimeout as wait } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';

/** At most 500 a second. */
const AT_ONCE = 50;
const EVERY_MS = 100;

export async function connectClients(ports: readonly number[], clients: number, token: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < clients) {
    const count = Math.min(AT_ONCE, clients - sockets.length);
    const some = Array.from({ length: count }, (_, at) => connect(ports[(sockets.length + at) % ports.length]!, token));
    const [connected] = await Promise.all([Promise.all(some), wait(EVERY_MS)]);
    sockets.push(...connected);
  }
  return sockets;
}

function connect(port: number, token: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = io(`http://127.0.0.1:${port}`, {
      path: '/ws',
      addTrailingSlash: false,
      transports: ['websocket'],
      forceNew: true,
    });
    socket.on('connect', () => socket.emit('authenticate', { token }));
    socket.once('authenticated', () => resolve(socket));
    socket.once('unauthorized', ({ message }: { message: string }) => reject(new Error(message)));
    socket.once('connect_error', reject);
  });
}
