/**
 * Opens sockets for encrypted Redis connections, each with a permanent error listener. ioredis listens for one error of
 * a socket. A TLS socket may emit two: the refused certificate, and an alert that the server sends before the socket is
 * closed. Without a listener the second would end the process.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { AbstractConnector, SentinelConnector } from 'ioredis';
import type { RedisHost, RedisOptions } from './address';

type Connector = NonNullable<RedisOptions['Connector']>;

/** ioredis has heard of the first error, and closes the connection. */
const outliveErrors = <S extends Socket>(stream: S): S => stream.on('error', () => {});

/** A connector that looks for the server anew with each attempt. `opened` is called with each new socket. */
export function connectorTo(
  find: (options: RedisOptions) => RedisHost,
  opened: (stream: Socket, place: RedisHost) => void = () => {},
): Connector {
  return class extends AbstractConnector {
    readonly #options: RedisOptions;

    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 0);
      this.#options = options as RedisOptions;
    }

    async connect(): Promise<Socket> {
      this.connecting = true;
      // ioredis may disconnect in the same tick.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (!this.connecting) throw new Error('Connection is closed.');
      const { tls } = this.#options;
      const place = find(this.#options);
      const stream = outliveErrors(tls ? connectSecurely({ ...place, ...tls }) : connect(place));
      stream.once('error', (error) => {
        this.firstError = error;
      });
      this.stream = stream;
      opened(stream, place);
      return stream;
    }
  };
}

/** Connects to the server that the options name. */
export const toNamedServer: Connector = connectorTo(({ host = '', port = 0 }) => ({ host, port }));

/** Connects to the primary that Sentinels name. */
export const toPrimary: Connector = class extends SentinelConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override async connect(...args: Parameters<SentinelConnector['connect']>) {
    return outliveErrors((await super.connect(...args)) as Socket);
  }
};
