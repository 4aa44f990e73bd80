/**
 * Ends connections that have been idle for as long as they are kept. Node gives each a timer, and sets it anew whenever
 * something is read or written, which costs a twentieth of a small answer; here all of them are looked at once a second.
 */

interface Connection {
  /** When it became idle; undefined while it is not, or when that is for Node to say. */
  readonly idleSince: number | undefined;
  /** How much has been heard on it so far. */
  readonly bytesRead: number;
  end(): void;
}

const LOOK_MS = 1000;
/** Node keeps connections this much longer than it tells clients. */
const BUFFER_MS = 1000;

export class IdleConnections {
  /** Each with what had been heard on it when it was first seen idle. */
  readonly #connections = new Map<Connection, { since: number; bytes: number }>();
  readonly #keepAliveMs: number;
  readonly #looking: NodeJS.Timeout | undefined;

  constructor(keepAliveMs: number) {
    this.#keepAliveMs = keepAliveMs;
    if (keepAliveMs > 0) this.#looking = setInterval(() => this.#look(Date.now()), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#looking);
  }

  watch(connection: Connection): void {
    this.#connections.set(connection, { since: 0, bytes: 0 });
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
  }

  #look(now: number): void {
    for (const [connection, seen] of this.#connections) {
      const { idleSince } = connection;
      if (idleSince === undefined) continue;
      if (idleSince !== seen.since) {
        seen.since = idleSince;
        seen.bytes = connection.bytesRead;
      } else if (now - idleSince > this.#keepAliveMs + BUFFER_MS && connection.bytesRead === seen.bytes) {
        // If part of a request had come since, Node would wait for the rest of it.
        connection.end();
      }
    }
  }
}
