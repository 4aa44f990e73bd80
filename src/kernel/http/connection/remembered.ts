/** Remembers what was read from a text that clients repeat in every request of a connection, such as a header. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Longer texts are read for each request, to bound the memory of a connection. */
const MAX_REMEMBERED = 1024;

/** What `read` returns must depend on the text and the connection alone. */
export function rememberByConnection<Value>(
  read: (text: string, request: IncomingMessage) => Value,
): (text: string, request: IncomingMessage) => Value {
  const last = new WeakMap<Socket, { readonly text: string; readonly value: Value }>();
  return (text, request) => {
    const known = last.get(request.socket);
    if (known?.text === text) return known.value;
    const value = read(text, request);
    if (text.length <= MAX_REMEMBERED) last.set(request.socket, { text, value });
    return value;
  };
}
