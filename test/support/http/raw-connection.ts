/** A TCP connection that sends HTTP byte by byte, and shows each response and the end of the connection. */
import { connect, type Socket } from 'node:net';
import { until } from '../until';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** The response of this number, counted from 0, once it is complete. */
  answer(place: number): Promise<RawAnswer>;
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>;
  /** The response of this number, or undefined if the server closed the connection first. */
  answerOrClose(place: number): Promise<RawAnswer | undefined>;
  heard(): string;
}

/** Far below the time that a request may take to arrive, so that a stuck connection is noticed. */
const PROMPTLY_MS = 45_000;

export function openRaw(port: number): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let bytes = Buffer.alloc(0);
  let isClosed = false;
  socket.on('data', (more) => (bytes = Buffer.concat([bytes, more])));
  socket.on('close', () => (isClosed = true));
  // A server may hang up while the body is being sent.
  socket.on('error', () => {});
  const heard = () => bytes.toString('latin1');
  const answers = () => answersIn(heard());
  const wait = <T>(look: () => T, holds: (value: T) => boolean) => until(look, holds, PROMPTLY_MS);
  return {
    socket,
    heard,
    send: (more) => void socket.write(more),
    async answer(place) {
      return (await wait(() => answers()[place], Boolean))!;
    },
    async answerOrClose(place) {
      await wait(
        () => isClosed || answers().length > place,
        (isThere) => isThere,
      );
      return answers()[place];
    },
    async closed() {
      await wait(
        () => isClosed,
        (isThere) => isThere,
      );
    },
  };
}

/** Interim responses (100 Continue) are skipped. */
function answersIn(text: string): RawAnswer[] {
  const found: RawAnswer[] = [];
  for (let rest = text; rest.includes('\r\n\r\n');) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new Error(`this is no answer: ${first.slice(0, 80)}`);
    const headers = new Map(lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ')[1] ?? '']));
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return found;
    if (status >= 200) found.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return found;
}

export type Framing = 'content-length' | 'chunked';

export interface RawRequest {
  readonly start: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly framing?: Framing;
}

export function rawRequest({ start, headers = {}, body, framing = 'content-length' }: RawRequest): Buffer {
  const about = !body
    ? {}
    : framing === 'chunked'
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(body.length) };
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...about }).map((line) => line.join(': '));
  const head = Buffer.from(`${[start, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
  if (!body) return head;
  return Buffer.concat([head, ...(framing === 'chunked' ? chunksOf(body) : [body])]);
}

const CHUNK_BYTES = 10_000;

function chunksOf(body: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const chunk = body.subarray(at, at + CHUNK_BYTES);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return [...chunks, Buffer.from('0\r\n\r\n')];
}
