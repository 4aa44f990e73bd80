/** Limit: bare Socket.IO and its Redis adapter; sockets send a word and join a room. */
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { program, type Shape } from '../../harness/program';
import { listen } from './listen';
import { ROOM } from '../room';

export interface BareCompany extends Shape {
  readonly options: { readonly redisUrl: string; readonly key: string };
  readonly ready: { readonly port: number };
}

program<BareCompany>(async ({ redisUrl, key }) => {
  const { server, port } = await listen();
  const io = new Server(server, { path: '/ws', addTrailingSlash: false, serveClient: false, allowEIO3: true });
  io.adapter(createAdapter(new Redis(redisUrl), new Redis(redisUrl), { key }));
  io.on('connection', (socket) => {
    socket.on('authenticate', () => {
      void socket.join(ROOM);
      socket.emit('authenticated');
    });
  });
  return { ready: { port } };
});
