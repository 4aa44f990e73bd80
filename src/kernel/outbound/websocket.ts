/**
 * A WebSocket to a server that the operator has configured. It is alive as long as the server answers pings: a connection
 * that only seems to be there is cut.
 */
import { WebSocket } from 'ws';
import { withDeadline } from '../deadline';

export interface SocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** For opening it, and for each answer to a ping. */
  readonly deadlineMs: number;
  readonly pingMs: number;
  /** A longer message ends the connection. */
  readonly maxBytes: number;
  readonly onText: (text: string) => void;
}

export interface OpenSocket {
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  /** When the server last proved that it is there, by `performance.now()`. */
  readonly heardAt: () => number;
  close(): void;
}

export async function openWebSocket(url: string, options: SocketOptions): Promise<OpenSocket> {
  const { headers, deadlineMs, pingMs, maxBytes, onText } = options;
  const socket = new WebSocket(url, {
    headers: { ...headers },
    handshakeTimeout: deadlineMs,
    maxPayload: maxBytes,
    perMessageDeflate: false,
    followRedirects: false,
  });
  let heardAt = performance.now();
  const hear = () => void (heardAt = performance.now());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // Its `close` follows.
  socket.on('error', () => {});
  socket.on('pong', hear);
  socket.on('message', (data: Buffer, isBinary) => {
    hear();
    if (!isBinary) onText(data.toString('utf8'));
  });
  const opening = new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
  await withDeadline('The server', deadlineMs, opening).catch((error: unknown) => {
    socket.terminate();
    throw error;
  });
  hear();
  const pinging = setInterval(() => {
    if (performance.now() - heardAt > pingMs + deadlineMs) socket.terminate();
    else socket.ping();
  }, pingMs);
  void closed.then(() => clearInterval(pinging));
  return { closed, heardAt: () => heardAt, close: () => socket.terminate() };
}
