/** A minimal PBX that answers every call after a delay, or never. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { program, type Shape } from '../../harness/program';

export interface PlainPbx extends Shape {
  readonly options: null;
  readonly ready: { readonly port: number };
  /** How it behaves from now on. */
  readonly order: { readonly delayMs: number; readonly hung: readonly string[] };
  readonly report: null;
}

program<PlainPbx>(async () => {
  const held = new Map<string, string>();
  let manner: PlainPbx['order'] = { delayMs: 0, hung: [] };

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { method, url = '' } = request;
    if (method === 'PUT') held.set(url, body);
    const found = held.get(url);
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(found ?? '{}');
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (manner.hung.some((instance) => request.url?.includes(instance))) return;
      setTimeout(() => answer(request, response, Buffer.concat(chunks).toString()), manner.delayMs);
    });
  });
  // A worker may keep its connections for longer than five seconds.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ready: { port: (server.address() as AddressInfo).port },
    run(order) {
      manner = order;
      return Promise.resolve(null);
    },
  };
});
