/** What stands in front of the nodes: passes each connection to the first of them that is not lost. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** As if the node was killed: its connections break, and new ones go to the others. With none left, all are refused. */
  lose(port: number): void;
  regain(port: number): void;
  close(): Promise<void>;
}

export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const lost = new Set<number>();
  const open = new Map<Socket, number>();
  const server = createServer((client) => {
    const port = ports.find((each) => !lost.has(each));
    if (port === undefined) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.set(socket, port);
      socket.on('error', () => {});
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(port) {
      lost.add(port);
      for (const [socket, of] of open) if (of === port) socket.destroy();
    },
    regain: (port) => void lost.delete(port),
    async close() {
      for (const socket of open.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
