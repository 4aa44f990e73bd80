/** A TCP proxy that can become silent: its connections stay open and nothing passes, as after a lost network switch. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentProxy {
  readonly port: number;
  /** Nothing passes any more on the open connections; new ones work. */
  silence(): void;
  /** While set, nothing ever passes on new connections either: as if the machine were lost. */
  deafen(isDeaf: boolean): void;
  readonly silenced: number;
  close(): Promise<void>;
}

export async function openSilentProxy(target: number): Promise<SilentProxy> {
  const open = new Set<{ client: Socket; upstream: Socket; isSilent: boolean }>();
  let isDeafNow = false;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const pair = { client, upstream, isSilent: isDeafNow };
    open.add(pair);
    const end = () => {
      open.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (chunk) => !pair.isSilent && to.write(chunk));
      from.once('close', end);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const pair of open) pair.isSilent = true;
    },
    deafen: (isDeaf) => void (isDeafNow = isDeaf),
    get silenced() {
      return [...open].filter(({ isSilent }) => isSilent).length;
    },
    async close() {
      for (const { client, upstream } of open) for (const socket of [client, upstream]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
