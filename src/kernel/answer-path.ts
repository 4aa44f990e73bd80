/** The connection that a response leaves on, and whether the connection took all of it. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface AnswerPath {
  /** False behind a proxy, whose connection says nothing about the client's. */
  readonly isDirect: boolean;
  /** Calls the listener once, when the connection has ended. Returns a function that removes the listener. */
  follow(listener: EndListener): () => void;
}

/** `isLost`: the connection closed before it took the whole response, or was reset afterwards. */
export type EndListener = (isLost: boolean) => void;

export function answerPathOf(response: ServerResponse, clientAddress: string): AnswerPath {
  const { socket } = response.req;
  return {
    isDirect: socket.remoteAddress?.endsWith(clientAddress) ?? false,
    follow(listener) {
      const listeners = endListenersOf(socket);
      const stop = () => void listeners.delete(end);
      const end: EndListener = (wasReset) => {
        stop();
        listener(wasReset || !response.writableFinished);
      };
      listeners.add(end);
      if (socket.closed) end(true);
      return stop;
    },
  };
}

/** Each socket gets one listener, however many responses on it are followed. */
const followed = new WeakMap<Socket, Set<EndListener>>();

function endListenersOf(socket: Socket): Set<EndListener> {
  let listeners = followed.get(socket);
  if (!listeners) {
    const made = new Set<EndListener>();
    socket.once('close', (hadError: boolean) => {
      for (const end of made) end(hadError);
    });
    followed.set(socket, made);
    listeners = made;
  }
  return listeners;
}
