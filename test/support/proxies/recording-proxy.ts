/** An HTTP proxy that records the requests sent through it. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordingProxy {
  readonly url: string;
  /** Method, path and body of all requests since the last call. */
  sent(): string[];
  close(): Promise<void>;
}

/** `target` is an origin, such as `http://127.0.0.1:8088`. */
export async function openRecordingProxy(target: string): Promise<RecordingProxy> {
  const sent: string[] = [];
  const pass = async (request: IncomingMessage) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    sent.push(`${method} ${url} ${body}`);
    const own = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
    const hasBody = method !== 'GET' && body !== '';
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: own as [string, string][],
      ...(hasBody ? { body } : {}),
    });
    return { status: answer.status, body: await answer.text() };
  };
  const server = createServer((request, response) => {
    pass(request).then(
      ({ status, body }) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(body),
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
