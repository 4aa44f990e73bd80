/** Many requests to one node over a limited number of connections; counts the responses by status. */
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface FloodRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Flood {
  readonly port: number;
  readonly connections: number;
}

/** Each connection gets its next request after the previous response; undefined ends it. */
export async function flood(
  { port, connections }: Flood,
  next: (at: number) => FloodRequest | undefined,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let made = 0;
  const work = async () => {
    for (;;) {
      const asked = next(made);
      if (!asked) return;
      made += 1;
      const status = await statusOf(asked, { agent, port });
      counts[status] = (counts[status] ?? 0) + 1;
      // Refused connections must not become a busy loop.
      if (status === 'failed') await wait(20);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return counts;
}

function statusOf(
  { method = 'GET', path, headers = {}, body }: FloodRequest,
  to: { agent: Agent; port: number },
): Promise<string> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const sent = request({ ...to, host: '127.0.0.1', method, path, headers: { ...headers, ...length } }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', () => resolve('failed'));
    });
    sent.on('error', () => resolve('failed'));
    sent.end(body);
  });
}

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
