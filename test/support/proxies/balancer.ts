/** A load balancer in front of the nodes: passes each connection to the first reachable node that accepts it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /**
   * As if the network to the node was cut: its connections break, new ones go to other nodes. With none left, all are
   * refused.
   */
  lose(port: number): void;
  regain(port: number): void;
  close(): Promise<void>;
}

export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const lost = new Set<number>();
  const open = new Map<Socket, number>();
  const join = (client: Socket, upstream: Socket, port: number): void => {
    for (const socket of [client, upstream]) {
      open.set(socket, port);
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  };
  const pass = (client: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) return void client.destroy();
    if (lost.has(port)) return pass(client, others);
    const upstream = connect(port, '127.0.0.1');
    const refused = (): void => pass(client, others);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused).on('error', () => {});
      join(client, upstream, port);
    });
  };
  const server = createServer((client) => {
    client.on('error', () => {});
    pass(client, ports);
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
