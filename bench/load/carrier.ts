/** A carrier in a burst: raw keep-alive sockets, each posting its next signed text once the last was accepted. */
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import type { Measurement } from '../harness/benchmark';
import { measured } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';

export interface CarrierLoad extends Shape {
  readonly options: { readonly path: string; readonly secret: string; readonly to: string };
  readonly ready: null;
  readonly order: { readonly port: number; readonly connections: number; readonly milliseconds: number };
  readonly report: Measurement;
}

const HEAD_END = '\r\n\r\n';

program<CarrierLoad>(({ path, secret, to }) => {
  const run = String(Date.now());
  let texts = 0;

  function nextRequest(): string {
    texts += 1;
    const from = `+1555${String(texts % 10_000_000).padStart(7, '0')}`;
    const text = 'Is the shop open on Sunday? We would come by at about ten.';
    const body = JSON.stringify({ id: `${run}-${texts}`, from, to, text, received_at: new Date().toISOString() });
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `X-Signature: t=${at},v1=${signature}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return `${head.join('\r\n')}${HEAD_END}${body}`;
  }

  /** Runs one connection until the time is over. An answer without a body is just its headers. */
  function lane(port: number, end: number, took: number[]): Promise<void> {
    return new Promise((resolve, reject) => {
      let heard = '';
      let sent = 0;
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      const next = () => {
        sent = performance.now();
        if (sent < end) return socket.write(nextRequest(), 'latin1');
        socket.destroy();
        return resolve();
      };
      socket.once('connect', next);
      socket.once('error', reject);
      socket.once('end', () => reject(new Error('the server closed the connection')));
      socket.on('data', (bytes) => {
        heard += bytes.toString('latin1');
        if (!heard.endsWith(HEAD_END)) return;
        if (!heard.startsWith('HTTP/1.1 204')) return void socket.destroy(new Error(heard.split('\r\n')[0]));
        heard = '';
        took.push(performance.now() - sent);
        next();
      });
    });
  }

  return Promise.resolve({
    ready: null,
    async run({ port, connections, milliseconds }) {
      const took: number[] = [];
      const began = performance.now();
      await Promise.all(Array.from({ length: connections }, () => lane(port, began + milliseconds, took)));
      return measured(took, performance.now() - began);
    },
  });
});
