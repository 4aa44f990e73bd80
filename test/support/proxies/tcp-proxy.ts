/** A TCP proxy that misbehaves on demand: it cuts a connection right after certain bytes have passed. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** From now on, or only so often: once a client has sent these bytes, they are passed on and the response is lost. */
  cutAfter(bytes: string | null, times?: number): void;
  readonly cuts: number;
  /** Breaks every connection and accepts no new one, until the test ends that. */
  sever(isSevered: boolean): void;
  /** How many new connections were not accepted. */
  readonly refused: number;
  close(): Promise<void>;
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  let trigger: string | null = null;
  let left = 0;
  let cuts = 0;
  let refused = 0;
  let isSevered = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (isSevered) {
      refused += 1;
      return void client.destroy();
    }
    const upstream = connect(target, '127.0.0.1');
    let isCut = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
        // What was sent must still arrive; only the way back is cut.
        if (!isCut) upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      upstream.write(chunk);
      if (trigger === null || left === 0 || !chunk.includes(trigger)) return;
      isCut = true;
      left -= 1;
      cuts += 1;
      client.destroy();
      setTimeout(() => upstream.destroy(), 300);
    });
    upstream.on('data', (chunk) => !isCut && client.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter: (bytes, times = Infinity) => void ([trigger, left] = [bytes, times]),
    get cuts() {
      return cuts;
    },
    get refused() {
      return refused;
    },
    sever(severed) {
      isSevered = severed;
      if (severed) for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
