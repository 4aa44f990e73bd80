/** Shared by the abuses: connections that go on until a signal, and counts of the results. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { flood, type FloodRequest } from '../support/http/flood';
import type { AbuseCounts, Target } from './abuse';

export class Counters {
  readonly counts: AbuseCounts = {};

  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** Sends requests over this many connections, reading every response to its end. */
export const askAlways = (
  { port }: Target,
  signal: AbortSignal,
  { connections, ...asked }: FloodRequest & { readonly connections: number },
): Promise<AbuseCounts> => flood({ port, connections }, () => (signal.aborted ? undefined : asked));

/** Opens a connection, uses it, and waits until it is closed or the signal comes; then repeats. */
export async function connectAlways(
  { port }: Target,
  signal: AbortSignal,
  { connections, use }: { connections: number; use: (socket: Socket, counters: Counters) => void },
): Promise<AbuseCounts> {
  const counters = new Counters();
  const once = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        counters.add('connections');
        use(socket, counters);
      });
      const end = () => socket.destroy();
      signal.addEventListener('abort', end, { once: true });
      socket.on('error', () => {});
      socket.on('close', () => {
        signal.removeEventListener('abort', end);
        resolve();
      });
      if (signal.aborted) end();
    });
  const run = async () => {
    while (!signal.aborted) {
      await once();
      await wait(20);
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
  return counters.counts;
}

/** Renders to about 80 KB of HTML. */
const LARGE = '\u{1f4a9}'.repeat(1000);
const MESSAGES = 150;

/** Sends more large messages than one response holds; returns who may read them. */
export async function sayMuch(target: Target): Promise<{ Authorization: string }> {
  const headers = await target.basic('member@example.com');
  const form = { type: 'stream', to: 'test', topic: 'large', content: LARGE };
  for (let at = 0; at < MESSAGES; at += 1) await target.call('/api/v1/messages', { form, headers });
  return headers;
}

export const READ_ALL = '/api/v1/messages?anchor=10000000000000000&num_before=5000&num_after=0';
