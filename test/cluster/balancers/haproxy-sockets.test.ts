// Socket.IO through deploy/haproxy.cfg: a polling session stays on its node without cookies; a WebSocket needs nothing.
import { createHash } from 'node:crypto';
import http from 'node:http';
import type net from 'node:net';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { until } from '../../support/until';
import { startHaproxy, startNode } from './haproxy-process';
import type { Haproxy, Node } from './haproxy-process';

describe('Sockets behind the load balancer', () => {
  let nodes: Node[];
  let proxy: Haproxy;
  let servers: Server[];
  const clients: Socket[] = [];

  beforeAll(async () => {
    nodes = [await startNode('node-1'), await startNode('node-2')];
    servers = nodes.map((node) => {
      const server = new Server(node.server, { path: '/ws/', allowEIO3: true });
      server.on('connection', (socket) => {
        socket.on('where', (reply: (name: string) => void) => reply(node.name));
      });
      return server;
    });
    proxy = await startHaproxy(nodes);
  });

  afterEach(async () => {
    for (const client of clients) client.close();
    await until(() => clients.every((client) => client.io.engine.readyState === 'closed'));
    clients.length = 0;
  });

  afterAll(async () => {
    await proxy?.stop();
    for (const server of servers ?? []) await server.close();
  });

  function connect(transports: string[]): Socket {
    const client = io(proxy.url, { path: '/ws/', transports, forceNew: true, reconnection: false });
    clients.push(client);
    return client;
  }

  async function ask(client: Socket, times: number): Promise<Set<string>> {
    const names = new Set<string>();
    for (let i = 0; i < times; i++) names.add((await client.timeout(60_000).emitWithAck('where')) as string);
    return names;
  }

  it('The load balancer sends every poll of a session to the node that holds it, for many sessions of one address', async () => {
    const homes = await Promise.all(Array.from({ length: 12 }, () => ask(connect(['polling']), 10)));
    expect(homes.every((names) => names.size === 1)).toBe(true);
    expect(new Set(homes.flatMap((names) => [...names]))).toEqual(new Set(['node-1', 'node-2']));
  });

  it('The load balancer sends the upgrade of a polling session to the same node', async () => {
    for (let i = 0; i < 6; i++) {
      const client = connect(['polling', 'websocket']);
      const [before] = await ask(client, 1);
      await until(() => client.io.engine.transport.name === 'websocket');
      expect(await ask(client, 3)).toEqual(new Set([before]));
    }
  });

  it('Sessions can begin as WebSockets on either node behind the load balancer', async () => {
    const homes = await Promise.all(Array.from({ length: 6 }, () => ask(connect(['websocket']), 3)));
    expect(new Set(homes.flatMap((names) => [...names]))).toEqual(new Set(['node-1', 'node-2']));
  });

  it.each(['', '&b64=1'])(
    'Sessions of the older protocol stay on one node behind the load balancer (%s)',
    async (how) => {
      const address = `${proxy.url}/ws/?EIO=3&transport=polling${how}`;
      for (let i = 0; i < 4; i++) {
        const sid = /"sid":"([^"]+)"/.exec(await (await fetch(address)).text())?.[1];
        for (let j = 0; j < 3; j++) {
          const reply = await fetch(`${address}&sid=${sid}`, { method: 'POST', body: '1:2' });
          expect([reply.status, await reply.text()]).toEqual([200, 'ok']);
        }
      }
    },
  );

  it('The load balancer leaves sessions on their nodes while no node answers its checks', async () => {
    const sessions = await Promise.all(
      ['polling', 'polling', 'websocket', 'websocket'].map(async (transport) => {
        const client = connect([transport]);
        return { client, home: await ask(client, 1) };
      }),
    );
    for (const node of nodes) node.health = 'hang';
    await until(() => nodes.every(({ name }) => proxy.log.join('').includes(`Server nodes/${name} is DOWN`)));
    for (const { client, home } of sessions) expect(await ask(client, 5)).toEqual(home);
    // New sessions start as well.
    expect((await ask(connect(['polling']), 5)).size).toBe(1);
    for (const node of nodes) node.health = 200;
    await until(() => nodes.every(({ name }) => proxy.log.join('').includes(`Server nodes/${name} is UP`)));
    for (const { client, home } of sessions) expect(await ask(client, 5)).toEqual(home);
  });

  it('The load balancer leaves it to a node to refuse an unknown session', async () => {
    const reply = await fetch(`${proxy.url}/ws/?EIO=4&transport=polling&sid=nobody`);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: 1 });
  });

  it('The load balancer passes an upgrade and the bytes after it in both directions', async () => {
    for (const node of nodes) node.server.on('upgrade', echoUpgrade);
    const request = http.get(`${proxy.url}/echo`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
      },
    });
    const socket = await new Promise<net.Socket>((resolve) => {
      request.once('upgrade', (_, upgraded: net.Socket) => resolve(upgraded));
    });
    const echo = new Promise<string>((resolve) => socket.once('data', (bytes: Buffer) => resolve(bytes.toString())));
    socket.write('ping');
    expect(await echo).toBe('echo ping');
    socket.destroy();
  });
});

function echoUpgrade(request: http.IncomingMessage, socket: net.Socket): void {
  if (request.url !== '/echo') return;
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
  socket.on('data', (bytes) => socket.write(`echo ${bytes.toString()}`));
  socket.on('end', () => socket.end());
  socket.on('error', () => socket.destroy());
}
