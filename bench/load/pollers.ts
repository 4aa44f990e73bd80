/** Many clients that wait for events, each on a connection of its own, and those who send what they wait for. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement } from '../harness/benchmark';
import { latency } from '../harness/statistics';
import { program, type Shape } from '../harness/program';
import { openPoller, type Poller } from './poller';
import { openSender } from './sender';

export interface PollersLoad extends Shape {
  readonly options: {
    readonly polls: readonly {
      readonly port: number;
      readonly head: string;
      /** Undefined: the same request again and again, for a server that always has an answer. */
      readonly queueId?: string;
    }[];
    /** Requests that each send one message, taken in turn; to these ports in turn. */
    readonly sends: readonly string[];
    readonly sendPorts: readonly number[];
  };
  readonly ready: null;
  readonly order:
    | { readonly kind: 'outstanding'; readonly milliseconds: number; readonly outstanding: number }
    | { readonly kind: 'every'; readonly count: number; readonly intervalMs: number }
    | { readonly kind: 'requests'; readonly milliseconds: number }
    | { readonly kind: 'bursts'; readonly count: number; readonly intervalMs: number };
  readonly report: Measurement;
}

/** Polls that begin together, and the pause after them. */
const RAMP = 10;
const RAMP_MS = 10;

program<PollersLoad>(async ({ polls, sends, sendPorts }) => {
  const rounds = openRounds(polls.length);
  const pollers = await openAll(polls, rounds);
  const senders = sendPorts.map((port) => openSender(port));
  let turn = 0;
  const send = () => {
    rounds.begin();
    void senders[turn % senders.length]!.post(sends[turn % sends.length]!);
    turn += 1;
  };
  return {
    ready: null,
    async run(order) {
      switch (order.kind) {
        case 'outstanding':
          return rounds.measure(pollers, () => keepOutstanding(rounds, send, order));
        case 'every':
          return rounds.measure(pollers, () => beginEvery(rounds, send, order));
        case 'requests':
          return rounds.measure(pollers, () => requestFor(pollers, order.milliseconds));
        case 'bursts':
          return rounds.measure(pollers, () => burstEvery(rounds, pollers, order));
      }
    },
  };
});

type Rounds = ReturnType<typeof openRounds>;

/** Not all at once: the first poll of each is the one that asks the database who they are. */
async function openAll(polls: PollersLoad['options']['polls'], rounds: Rounds): Promise<Poller[]> {
  const pollers: Poller[] = [];
  for (let at = 0; at < polls.length; at += RAMP) {
    const some = polls.slice(at, at + RAMP).map((poll) => openPoller(poll, rounds));
    await Promise.all(some.map(({ connected }) => connected));
    for (const poller of some) if (poller.isWaiting) poller.ask();
    pollers.push(...some);
    await wait(RAMP_MS);
  }
  return pollers;
}

/** A round is one message for all, or one request of all: when it began, and when the last had it. */
function openRounds(size: number) {
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
    /** A client has heard its so many-th message. */
    hear(round: number): void {
      answers += 1;
      if (heard[round] === undefined) throw new Error('a client heard what nobody sent');
      heard[round] += 1;
      if (heard[round] < size) return;
      took.push(performance.now() - began[round]!);
      waiting?.();
    },
    answered(): void {
      answers += 1;
    },
    /** The next time a round is over. */
    over(): Promise<void> {
      return new Promise((resolve) => (waiting = resolve));
    },
    async measure(pollers: readonly Poller[], work: () => Promise<void>): Promise<Measurement> {
      answers = 0;
      took = [];
      began.length = heard.length = 0;
      for (const poller of pollers) poller.reset();
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

async function keepOutstanding(
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

async function beginEvery(
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

async function requestFor(pollers: readonly Poller[], milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  await Promise.all(pollers.map((poller) => poller.askUntil(end)));
}

function burstEvery(
  rounds: Rounds,
  pollers: readonly Poller[],
  pace: { count: number; intervalMs: number },
): Promise<void> {
  const burst = () => {
    rounds.begin();
    for (const poller of pollers) poller.ask();
  };
  return beginEvery(rounds, burst, pace);
}
