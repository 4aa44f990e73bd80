/** Limit: node:http that holds streams of server-sent events, and writes a 1.2 KB event to each when it gets a POST. */
import type { ServerResponse } from 'node:http';
import { program, type Shape } from '../../harness/program';
import { collectedMemory, type Memory } from '../memory';
import { EVENT } from '../payload';
import { listen } from './listen';

export interface BareStreams extends Shape {
  readonly options: null;
  readonly ready: { readonly port: number };
  readonly order: 'memory';
  readonly report: Memory;
}

program<BareStreams>(async () => {
  const streams = new Set<ServerResponse>();
  let id = 0;
  const { port } = await listen((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' }).flushHeaders();
      streams.add(response);
      return void response.on('close', () => streams.delete(response));
    }
    id += 1;
    const frame = `id: ${id}\ndata: {"id":${id},${EVENT.slice(1)}\n\n`;
    for (const stream of streams) stream.write(frame, 'latin1');
    request.resume();
    response.writeHead(200, { 'Content-Length': 2 }).end('{}');
  });
  return { ready: { port }, run: collectedMemory };
});
