/** A client with its own connection that reads as slowly as a test wants. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../support/until';

export interface SlowReader {
  readonly socket: Socket;
  /** The status of the first response; undefined before it comes. */
  status(): string | undefined;
  header(name: string): string | undefined;
  /** The number of bytes of the body received so far. */
  bodyBytes(): number;
  isClosed(): boolean;
  /** Reads the rest, piece by piece with a pause after each, until the body is complete or cut off. */
  readOn(pauseMs?: number): Promise<void>;
}

export function slowReader(port: number, request: string): SlowReader {
  let [head, bodyBytes, isClosed] = ['', 0, false];
  const socket = connect({ port, host: '127.0.0.1' }, () => void socket.write(request));
  let take = () => void socket.pause();
  const header = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1];
  socket.on('data', (bytes) => {
    if (head.includes('\r\n\r\n')) bodyBytes += bytes.length;
    else {
      const text = head + bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      head = end === -1 ? text : text.slice(0, end + 4);
      if (end !== -1) bodyBytes = text.length - head.length;
    }
    take();
  });
  socket.on('error', () => {});
  socket.on('close', () => (isClosed = true));
  return {
    socket,
    status: () => /^HTTP\/1\.1 (\d+)/.exec(head)?.[1],
    header,
    bodyBytes: () => bodyBytes,
    isClosed: () => isClosed,
    async readOn(pauseMs = 0) {
      take = () => {
        if (pauseMs === 0) return;
        socket.pause();
        void wait(pauseMs).then(() => socket.resume());
      };
      socket.resume();
      await until(() => isClosed || bodyBytes >= Number(header('Content-Length')));
    },
  };
}

export const getRequest = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    ...Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n') + '\r\n\r\n';
