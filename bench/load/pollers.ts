/** Many clients that wait for events, each on its own connection, and the senders of the messages. */
import type { Measurement } from '../harness/benchmark';
import { program, type Shape } from '../harness/program';
import type { Poller } from './poller';
import { openPollers } from './poller-ramp';
import { beginEvery, keepOutstanding, openRounds, type Rounds } from './rounds';
import { openSender } from './sender';

export interface PollersLoad extends Shape {
  readonly options: {
    readonly polls: readonly {
      readonly port: number;
      readonly head: string;
      /** Undefined: repeats the same request, for a server that always has an answer. */
      readonly queueId?: string;
    }[];
    /** Requests that each send one message, used in turn and sent to these ports in turn. */
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

program<PollersLoad>(async ({ polls, sends, sendPorts }) => {
  const rounds = openRounds(polls.length);
  const pollers = await openPollers(polls, () => rounds);
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
