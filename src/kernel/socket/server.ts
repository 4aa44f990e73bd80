/** Socket.IO on a node's HTTP server, spread over all nodes by the Redis adapter. Sessions come from a product. */
import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-adapter';
import { Server, type Socket } from 'socket.io';
import type { Kernel } from '../kernel';

export type SocketSession = (socket: Socket) => void;

/** Texts are small; a larger packet is a mistake or an attack. */
const MOST_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;

export function openSockets(kernel: Kernel, http: HttpServer, session: SocketSession): Server {
  const publisher = kernel.redis.blocking('socket-publisher');
  const subscriber = kernel.redis.blocking('socket-subscriber');
  const io = new Server(http, {
    path: '/ws',
    // Clients are seen with and without the slash at the end.
    addTrailingSlash: false,
    allowEIO3: true,
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: MOST_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    cors: { origin: true },
  });
  const adapter = createAdapter(publisher, subscriber, { key: `${kernel.namespace}:sockets` });
  io.adapter(adapter);
  io.on('connection', session);
  kernel.metrics.gauge('partyline_sockets', 'Open Socket.IO connections', () => io.engine.clientsCount);
  kernel.lifecycle.on('sockets', 'socket.io', () => closeConnections(io));
  return io;
}

/**
 * Closing the transport tells clients that the server is restarting, and they reconnect to another node by themselves.
 * A Socket.IO "disconnect" would tell them to stay away.
 */
function closeConnections(io: Server): void {
  for (const socket of io.sockets.sockets.values()) socket.conn.close();
  io.engine.close();
}
