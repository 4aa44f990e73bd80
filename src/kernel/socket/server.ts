/** Socket.IO on a node's HTTP server, connected to all nodes by the Redis adapter. A product handles the sessions. */
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-adapter';
import { Server, type Namespace, type Socket } from 'socket.io';
import { addressGroup } from '../admission/address-group';
import { addressReader } from '../http/client-address';
import { refuseUpgrades } from '../http/connection/upgrades';
import type { Kernel } from '../kernel';
import type { Keyspace } from '../redis/connections';
import type { SocketSettings } from '../settings';
import { adapterClient } from './adapter-client';
import { adapterKey, spreadByServer } from './spread';
import { streamOf, watchStreams } from './streams';

export type { Namespace, Socket };

/** How a product handles each new connection, and the address it comes from. */
export type SocketSession = (socket: Socket, from: string) => void;

const PATH = '/ws';
const CONNECT_TIMEOUT_MS = 10_000;

/** An engine.io connection; its own types name a class that Socket.IO does not export. */
interface Connection {
  request: IncomingMessage | null;
  once(event: 'close', then: () => void): unknown;
  on(event: 'drain', then: () => void): unknown;
  on(event: 'packetCreate', then: (packet: { readonly data?: string | Buffer }) => void): unknown;
}

// oxlint-disable-next-line max-params -- the parts of a node that meet here
export function openSockets(
  kernel: Keyspace & Pick<Kernel, 'lifecycle' | 'metrics' | 'socketEvents'>,
  http: HttpServer,
  settings: SocketSettings,
  session: SocketSession,
): Server {
  // Messages that cannot be published at once may be lost, so nothing waits for them.
  const publisher = adapterClient(kernel.redis.commands);
  const subscriber = adapterClient(kernel.redis.listener('socket-subscriber'));
  // Before Socket.IO, so that the stream of an upgrade is known before its connection.
  const streams = watchStreams(http);
  const addressOf = addressReader(settings.trustedProxies);
  /** The address of each connection, and how many connections each address has. */
  const addresses = new WeakMap<object, string>();
  const perAddress = new Map<string, number>();

  const io: Server = new Server(http, {
    path: PATH,
    // Clients use both forms, with and without the trailing slash.
    addTrailingSlash: false,
    allowEIO3: true,
    // For pages: /ws/socket.io.min.js is the matching client.
    serveClient: true,
    perMessageDeflate: false,
    maxHttpBufferSize: settings.socketPayloadBytes,
    connectTimeout: CONNECT_TIMEOUT_MS,
    cors: { origin: true },
    // Called when a session begins, not for its later polls.
    allowRequest(request, answer) {
      const mine = perAddress.get(addressGroup(addressOf(request).ip)) ?? 0;
      const isFull = io.engine.clientsCount >= settings.maxSockets;
      if (isFull) return answer('This node holds as many sockets as it may', false);
      if (mine >= settings.socketsPerAddress) return answer('Your address holds as many sockets as it may', false);
      return answer(null, !kernel.lifecycle.draining.aborted);
    },
  });
  refuseUpgrades(http, isWebSocket);
  io.adapter(createAdapter(publisher, subscriber, { key: adapterKey(kernel.namespace) }));
  spreadByServer(io, kernel.socketEvents);

  io.engine.generateId = streams.newSessionId;
  io.engine.on('connection', (connection: Connection) => {
    const from = addressOf(connection.request!).ip;
    const group = addressGroup(from);
    addresses.set(connection, from);
    perAddress.set(group, (perAddress.get(group) ?? 0) + 1);
    countWaiting(connection);
    streams.claim(connection);
    // Socket.IO would keep the first request for as long as the socket is open. Its documentation (memory usage)
    // recommends to drop it like this.
    connection.request = null;
    connection.once('close', () => {
      const left = perAddress.get(group)! - 1;
      if (left > 0) perAddress.set(group, left);
      else perAddress.delete(group);
    });
  });
  io.on('connection', (socket) => session(socket, addresses.get(socket.conn) ?? ''));
  kernel.metrics.gauge('partyline_sockets', 'Open Socket.IO connections', () => io.engine.clientsCount);
  kernel.lifecycle.on('sockets', 'socket.io', () => closeConnections(io));
  return io;
}

const isWebSocket = ({ url, headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && /^\/ws\/?(?:$|\?)/.test(url!);

/**
 * Closing the transport tells clients that the server is restarting, and they reconnect to another node by themselves.
 * A Socket.IO "disconnect" would tell them to stay away.
 */
function closeConnections(io: Server): void {
  for (const socket of io.sockets.sockets.values()) socket.conn.close();
  io.engine.close();
}

/** What a client has not received yet. */
export interface Waiting {
  readonly packets: number;
  readonly bytes: number;
}

const NOTHING: Waiting = { packets: 0, bytes: 0 };
const waiting = new WeakMap<object, Waiting>();

/** Packets wait from their creation until the connection takes everything that has accumulated. */
function countWaiting(connection: Connection): void {
  connection.on('packetCreate', ({ data }) => {
    const { packets, bytes } = waiting.get(connection) ?? NOTHING;
    waiting.set(connection, { packets: packets + 1, bytes: bytes + (data?.length ?? 0) });
  });
  connection.on('drain', () => void waiting.delete(connection));
}

export const waitingFor = (socket: Socket): Waiting => waiting.get(socket.conn) ?? NOTHING;

/** Drops a client that does not read: what waits for it is discarded, without a closing handshake. */
export function dropConnection(socket: Socket): void {
  const stream = streamOf(socket.conn);
  socket.conn.close(true);
  stream?.destroy();
}
