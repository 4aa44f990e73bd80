/** A TCP proxy in front of a TLS server: after the server's first bytes it sends an invalid record. */
import { createServer, connect, type AddressInfo } from 'node:net';

/** Claims to be encrypted data, of one byte. */
const NONSENSE = Buffer.from('170303000100', 'hex');

export interface GarblingProxy {
  readonly port: number;
  /** The number of connections that got an invalid record. */
  readonly garbled: number;
  close(): Promise<void>;
}

export async function openGarblingProxy(target: number): Promise<GarblingProxy> {
  let garbled = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.once('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.once('data', (chunk) => {
      garbled += 1;
      // In one packet, so that the client reads both at once.
      client.write(Buffer.concat([chunk, NONSENSE]));
      upstream.pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get garbled() {
      return garbled;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
