/** HTTP load from its own process: raw keep-alive sockets, each sending its next request after the answer. */
import { connect, type Socket } from 'node:net';
import type { Measurement } from '../harness/benchmark';
import { measured } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';

export interface HttpLoad extends Shape {
  readonly options: null;
  readonly ready: null;
  readonly order: {
    readonly port: number;
    /** The whole request as it is sent. */
    /** Each connection repeats one of these requests. */
    readonly request: string | readonly string[];
    readonly connections: number;
    readonly milliseconds: number;
  };
  readonly report: Measurement;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** The length of the first complete answer in the bytes, or 0. Any status but 200 is an error. */
function answerLength(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return 0;
  const head = bytes.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`the server answered ${head.split('\r\n')[0]}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('the server did not say how long its answer is');
  const whole = headEnd + HEAD_END.length + Number(length);
  return bytes.length >= whole ? whole : 0;
}

/** Runs one connection until the time is over. */
function lane(port: number, request: string, end: number, took: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let heard: Buffer = Buffer.alloc(0);
    let sent = 0;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const next = () => {
      sent = performance.now();
      if (sent < end) return socket.write(request, 'latin1');
      socket.destroy();
      return resolve();
    };
    socket.once('connect', next);
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('the server closed the connection')));
    socket.on('data', (bytes) => {
      heard = heard.length === 0 ? bytes : Buffer.concat([heard, bytes]);
      try {
        const length = answerLength(heard);
        if (length === 0) return;
        heard = heard.subarray(length);
      } catch (error) {
        socket.destroy();
        return reject(error as Error);
      }
      took.push(performance.now() - sent);
      next();
    });
  });
}

const requestOf = (request: string | readonly string[], at: number): string =>
  typeof request === 'string' ? request : request[at % request.length]!;

program<HttpLoad>(() =>
  Promise.resolve({
    ready: null,
    async run({ port, request, connections, milliseconds }) {
      const took: number[] = [];
      const began = performance.now();
      const end = began + milliseconds;
      await Promise.all(Array.from({ length: connections }, (_, at) => lane(port, requestOf(request, at), end, took)));
      return measured(took, performance.now() - began);
    },
  }),
);
