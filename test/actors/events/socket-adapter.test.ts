import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { io, type Socket as Client } from 'socket.io-client';
import { dropConnection, openSockets, type Socket } from '../../../src/kernel/socket/server';
import { streamOf } from '../../../src/kernel/socket/streams';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

let cluster: Cluster;
beforeAll(async () => void (cluster = await openCluster()));
afterAll(() => cluster.close());

test('A node that ends before Redis knows of its sockets ends without an unhandled rejection', async () => {
  const kernel = await cluster.kernel();
  // No server listens there: the adapter's subscriptions wait until the connection is given up.
  const nowhere = new Redis({ host: '127.0.0.1', port: 1, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  nowhere.on('error', () => {});
  jest.spyOn(kernel.redis, 'listener').mockReturnValue(nowhere);
  openSockets(kernel, createServer(), cluster.config(), () => {});
  const rejections: unknown[] = [];
  const ping = nowhere.ping().catch((error: Error) => rejections.push(error.message));
  nowhere.disconnect();
  await ping;
  expect(rejections).toEqual(['Connection is closed.']);
  // An unhandled rejection fails the test that runs when it is found.
  await wait(50);
});

describe('Dropped connections', () => {
  /** Opens a client that tries its transports in this order, and returns the server's side of it. */
  async function connect(transports: readonly ('polling' | 'websocket')[]): Promise<[Client, Socket]> {
    const http = createServer();
    let began: (socket: Socket) => void = () => {};
    const session = new Promise<Socket>((resolve) => (began = resolve));
    const kernel = await cluster.kernel();
    openSockets(kernel, http, cluster.config(), (socket) => began(socket));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const client = io(`http://127.0.0.1:${port}`, { path: '/ws', transports: [...transports], reconnection: false });
    const socket = await session;
    if (transports.length > 1 && !socket.conn.upgraded) {
      await new Promise((resolve) => socket.conn.once('upgrade', resolve));
    }
    kernel.lifecycle.on('listeners', 'test', () => void http.close());
    return [client, socket];
  }

  test.each([[['websocket'] as const], [['polling', 'websocket'] as const]])(
    'A dropped WebSocket connection loses its TCP stream at once if it was opened with %j',
    async (transports) => {
      const [client, socket] = await connect(transports);
      const left = new Promise((resolve) => client.once('disconnect', resolve));
      const stream = streamOf(socket.conn)!;
      dropConnection(socket);
      expect(stream.destroyed).toBe(true);
      expect(await left).toBe('transport close');
    },
  );

  test('A dropped polling connection keeps the TCP streams of its requests, which other clients may share', async () => {
    const [client, socket] = await connect(['polling']);
    const left = new Promise((resolve) => client.once('disconnect', resolve));
    expect(streamOf(socket.conn)).toBeUndefined();
    dropConnection(socket);
    await left;
  });
});
