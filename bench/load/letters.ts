/** Messages that each have one hearer, who waits for it on a connection of their own; so many are under way at once. */
import type { Measurement } from '../harness/benchmark';
import { closedLoop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import type { PollerOptions } from './poller';
import { openPollers } from './poller-ramp';
import { openSender } from './sender';

export interface LettersLoad extends Shape {
  readonly options: {
    readonly polls: readonly PollerOptions[];
    /** The request that sends the poller of the same place a message. */
    readonly sends: readonly string[];
    readonly port: number;
    /** Fewer than there are polls. */
    readonly concurrency: number;
  };
  readonly ready: null;
  readonly order: { readonly milliseconds: number } | { readonly count: number };
  /** A unit is a message; the latencies are from its sending to its arrival. */
  readonly report: Measurement;
}

program<LettersLoad>(async ({ polls, sends, port, concurrency }) => {
  const waiting: ((value: void) => void)[] = [];
  await openPollers(polls, (at) => ({ hear: () => waiting[at]?.(), answered() {} }));
  const senders = Array.from({ length: concurrency }, () => openSender(port));
  let next = 0;
  return {
    ready: null,
    run: (order) =>
      closedLoop({ concurrency, ...order }, async () => {
        const at = next++ % polls.length;
        const sender = senders.pop()!;
        const heard = new Promise<void>((resolve) => (waiting[at] = resolve));
        await Promise.all([sender.post(sends[at]!), heard]);
        senders.push(sender);
      }),
  };
});
