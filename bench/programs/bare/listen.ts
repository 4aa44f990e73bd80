/** A bare HTTP server on any free port of this machine. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export function listen(answer?: RequestListener): Promise<{ server: Server; port: number }> {
  // Longer than any benchmark, because it is idle while the other side is measured.
  const server = createServer({ keepAliveTimeout: 600_000 }, answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }));
  });
}
