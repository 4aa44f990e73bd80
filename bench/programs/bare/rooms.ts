/** Limit: bare Socket.IO and its Redis adapter. */
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { program, type Shape } from '../../harness/program';
import { listen } from './listen';
import { roomSession } from '../room';

export interface BareRooms extends Shape {
  readonly options: { readonly redisUrl: string; readonly key: string };
  readonly ready: { readonly port: number };
}

program<BareRooms>(async ({ redisUrl, key }) => {
  const { server, port } = await listen();
  const io = new Server(server, { path: '/ws', addTrailingSlash: false, serveClient: false });
  io.adapter(createAdapter(new Redis(redisUrl), new Redis(redisUrl), { key }));
  io.on(
    'connection',
    roomSession(() => io),
  );
  return { ready: { port } };
});
