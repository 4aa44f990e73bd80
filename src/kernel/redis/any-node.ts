/** Connects to any one node of a Redis Cluster, for subscriptions: all nodes deliver what is published on one. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { RedisHost, RedisOptions } from './address';

/** Each attempt goes to another node, so that a dead or silent node is left behind. */
export function anyNodeOf(nodes: () => readonly RedisHost[]): NonNullable<RedisOptions['Connector']> {
  // Processes start at different nodes.
  let turn = Math.floor(Math.random() * 1000);

  return class AnyNode extends AbstractConnector {
    readonly #options: RedisOptions;

    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 0);
      this.#options = options as RedisOptions;
    }

    async connect(): Promise<Socket> {
      this.connecting = true;
      // ioredis may be told to give up in the same tick.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (!this.connecting) throw new Error('Connection is closed.');
      const all = nodes();
      const { host, port } = all[(turn += 1) % all.length]!;
      const { tls } = this.#options;
      const stream = tls ? connectSecurely({ host, port, ...tls }) : connect({ host, port });
      stream.once('error', (error) => {
        this.firstError = error;
      });
      this.stream = stream;
      return stream;
    }
  };
}
