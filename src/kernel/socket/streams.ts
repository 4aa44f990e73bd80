/** The TCP stream under each WebSocket, so that a client that does not read can be cut off. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** The part of a connection that engine.io documents: the request that began its session. */
interface Connection {
  readonly request: IncomingMessage | null;
}

const streamsOf = new WeakMap<object, () => Duplex | undefined>();

/** Undefined for a client that polls: the connections of its requests may be shared. */
export const streamOf = (connection: object): Duplex | undefined => streamsOf.get(connection)?.();

export function watchStreams(http: Server) {
  const byRequest = new WeakMap<IncomingMessage, Duplex>();
  const sessionIds = new WeakMap<IncomingMessage, string>();
  /** Streams of sessions that began by polling, by session id. */
  const bySession = new Map<string, Duplex>();

  http.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    byRequest.set(request, stream);
    const session = sessionOf(request);
    if (session === null) return;
    bySession.set(session, stream);
    stream.once('close', () => {
      if (bySession.get(session) === stream) bySession.delete(session);
    });
  });

  return {
    /** Engine.io calls it for each new session. The connection itself does not expose its id. */
    newSessionId: (request: IncomingMessage): string => {
      const id = randomUUID();
      sessionIds.set(request, id);
      return id;
    },
    /** A connection that began as a WebSocket owns the stream of its first request. */
    claim(connection: Connection): void {
      const { request } = connection;
      if (!request) return;
      const first = byRequest.get(request);
      const id = sessionIds.get(request) ?? '';
      streamsOf.set(connection, () => first ?? bySession.get(id));
    },
  };
}

const sessionOf = ({ url = '' }: IncomingMessage): string | null => {
  const query = url.indexOf('?');
  return query < 0 ? null : new URLSearchParams(url.slice(query + 1)).get('sid');
};
