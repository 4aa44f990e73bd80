/** An HTTP proxy between a driver and its PBX that loses requests or responses on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** The next request whose body matches is cut: before it reaches the PBX, or after the PBX has answered. */
  cut(body: RegExp, when: 'before' | 'after'): void;
  close(): Promise<void>;
}

export async function openCuttingProxy(upstream: string): Promise<CuttingProxy> {
  let plan: { body: RegExp; when: 'before' | 'after' } | undefined;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const cut = plan?.body.test(body) ? plan.when : undefined;
    if (cut !== undefined) plan = undefined;
    if (cut === 'before') return void request.socket.resetAndDestroy();
    const { 'content-type': type = 'application/json', authorization } = request.headers;
    const headers = { 'content-type': type, ...(authorization === undefined ? {} : { authorization }) };
    const answer = await fetch(`${upstream}${request.url}`, { method: request.method ?? 'POST', headers, body });
    const text = await answer.text();
    if (cut === 'after') return void request.socket.resetAndDestroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.resetAndDestroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (body, when) => {
      plan = { body, when };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
