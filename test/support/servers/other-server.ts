/** A server that stands for all other servers of the internet, at a name that only the tests know. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '../kernel/cluster';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Respond = (response: ServerResponse, request: Received) => void;

export interface OtherServer {
  /** All requests, in order. */
  readonly received: readonly Received[];
  /** Sets the response of a path from now on. */
  at(path: string, respond: Respond): void;
  url(path: string): string;
  close(): Promise<void>;
}

const OTHER_HOST = 'other.example';
/** With this, a process can resolve and reach it; it can resolve `inside.example` but may not reach it. */
export const OTHER_SERVER: Environment = {
  OUTBOUND_NETWORKS: '127.0.0.1',
  OUTBOUND_HOSTS: `${OTHER_HOST}=127.0.0.1,inside.example=10.0.0.1`,
};

export async function openOtherServer(): Promise<OtherServer> {
  const received: Received[] = [];
  const paths = new Map<string, Respond>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const asked = { method, path, headers, body: Buffer.concat(chunks).toString() };
      received.push(asked);
      const respond = paths.get(path) ?? ((unknown: ServerResponse) => void unknown.writeHead(404).end());
      respond(response, asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    at: (path, respond) => void paths.set(path, respond),
    url: (path) => `http://${OTHER_HOST}:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
