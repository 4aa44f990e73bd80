/** Many clients that wait for events, each on its own connection, and the senders of the messages. */
import type { Measurement } from '../harness/benchmark';
import { program, type Shape } from '../harness/program';
import type { Poller, PollerOptions } from './poller';
import { openPollers } from './poller-ramp';
import { beginEvery, keepOutstanding, openRelay, openRounds, relayTo, type Others, type Rounds } from './rounds';
import { openSender } from './sender';

export interface PollersLoad extends Shape {
  readonly options: {
    /** One without a queue repeats the same request, for a server that always has an answer. */
    readonly polls: readonly PollerOptions[];
    /** Requests that each send one message, used in turn and sent to these ports in turn. */
    readonly sends: readonly string[];
    readonly sendPorts: readonly number[];
    /** Other processes that hear the same messages. */
    readonly others?: Others;
    /** Where the first process hears what this one has heard. */
    readonly relay?: number;
  };
  /** Where other processes report. */
  readonly ready: { readonly relay: number };
  readonly order:
    | { readonly kind: 'outstanding'; readonly milliseconds: number; readonly outstanding: number }
    | { readonly kind: 'every'; readonly count: number; readonly intervalMs: number }
    | { readonly kind: 'requests'; readonly milliseconds: number }
    | { readonly kind: 'bursts'; readonly count: number; readonly intervalMs: number };
  readonly report: Measurement;
}

program<PollersLoad>(async ({ polls, sends, sendPorts, others = { processes: 0, clients: 0 }, relay }) => {
  const rounds = openRounds(polls.length + others.processes);
  const heard = relay === undefined ? rounds : relayTo(relay, polls.length);
  const { port, listener } = await openRelay(rounds, others);
  const pollers = await openPollers(polls, () => heard);
  const all = [...pollers, listener];
  const senders = sendPorts.map((port) => openSender(port));
  let turn = 0;
  const send = () => {
    rounds.begin();
    void senders[turn % senders.length]!.post(sends[turn % sends.length]!);
    turn += 1;
  };
  return {
    ready: { relay: port },
    async run(order) {
      switch (order.kind) {
        case 'outstanding':
          return rounds.measure(all, () => keepOutstanding(rounds, send, order));
        case 'every':
          return rounds.measure(all, () => beginEvery(rounds, send, order));
        case 'requests':
          return rounds.measure(all, () => requestFor(pollers, order.milliseconds));
        case 'bursts':
          return rounds.measure(all, () => burstEvery(rounds, pollers, order));
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
