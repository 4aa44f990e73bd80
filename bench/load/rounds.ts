/** Times messages that everybody receives: when each was sent, when the last client had it, and the total received. */
import { connect, createServer, type AddressInfo } from 'node:net';
import type { Measurement } from '../harness/benchmark';
import { latency } from '../harness/statistics';
import type { Heard } from './poller';

/** A round is one message for all, or one request of all: from its start until the last client is done. */
export function openRounds(size: number) {
  const began: number[] = [];
  const heard: number[] = [];
  let took: number[] = [];
  let answers = 0;
  let waiting: (() => void) | undefined;
  return {
    get running(): number {
      return began.length - took.length;
    },
    begin(): void {
      began.push(performance.now());
      heard.push(0);
    },
    /** A client has received this round's message, perhaps for others, too. */
    hear(round: number, clients = 1): void {
      answers += clients;
      if (heard[round] === undefined) throw new Error('a client heard what nobody sent');
      heard[round] += 1;
      if (heard[round] < size) return;
      took.push(performance.now() - began[round]!);
      waiting?.();
    },
    answered(): void {
      answers += 1;
    },
    /** Resolves when the next round is over. */
    over(): Promise<void> {
      return new Promise((resolve) => (waiting = resolve));
    },
    async measure(listeners: readonly { reset(): void }[], work: () => Promise<void>): Promise<Measurement> {
      answers = 0;
      took = [];
      began.length = heard.length = 0;
      for (const listener of listeners) listener.reset();
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000;
      const last = took.length > 0 ? latency(took) : undefined;
      return {
        units: answers,
        figures: {
          rate: answers / seconds,
          ...(last ? { 'last p50': last.p50, 'last p95': last.p95 } : {}),
        },
      };
    },
  };
}

export type Rounds = ReturnType<typeof openRounds>;

/** Keeps this many messages outstanding until the time is over, then waits for the last of them. */
export async function keepOutstanding(
  rounds: Rounds,
  send: () => void,
  { milliseconds, outstanding }: { milliseconds: number; outstanding: number },
): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    while (rounds.running < outstanding) send();
    await rounds.over();
  }
  while (rounds.running > 0) await rounds.over();
}

export async function beginEvery(
  rounds: Rounds,
  begin: () => void,
  { count, intervalMs }: { count: number; intervalMs: number },
): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    begin();
    const pause = new Promise((resolve) => setTimeout(resolve, intervalMs));
    while (rounds.running > 0) await rounds.over();
    await pause;
  }
}

export interface Others {
  readonly processes: number;
  /** Of all of them together. */
  readonly clients: number;
}

/**
 * Several load processes work as one: the first sends and times messages. The others are clients of its rounds: each hears for
 * all its own clients.
 */
export async function openRelay(
  rounds: Rounds,
  { processes, clients }: Others,
): Promise<{ port: number; listener: { reset(): void } }> {
  const resets: (() => void)[] = [];
  const server = createServer((socket) => {
    let heard = 0;
    resets.push(() => (heard = 0));
    socket.on('data', ({ length }) => {
      for (let left = length; left > 0; left -= 1) rounds.hear(heard++, clients / processes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, listener: { reset: () => resets.forEach((each) => each()) } };
}

/** Tells the first process of each message that all clients of this one have heard. */
export function relayTo(port: number, clients: number): Heard {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const heard = new Map<number, number>();
  return {
    hear(round) {
      const count = (heard.get(round) ?? 0) + 1;
      heard.set(round, count);
      if (count < clients) return;
      heard.delete(round);
      socket.write('.');
    },
    answered() {},
  };
}
