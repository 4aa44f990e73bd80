/** Messages with one recipient each, who polls on their own connection; a fixed number is outstanding. */
import type { Measurement } from '../harness/benchmark';
import { closedLoop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import type { PollerOptions } from './poller';
import { openPollers } from './poller-ramp';
import { openSender } from './sender';

export interface LettersLoad extends Shape {
  readonly options: {
    readonly polls: readonly PollerOptions[];
    /** The request that sends a message to the poller at the same index. */
    readonly sends: readonly string[];
    readonly port: number;
    /** Must be smaller than the number of polls. */
    readonly concurrency: number;
  };
  readonly ready: null;
  readonly order: { readonly milliseconds: number } | { readonly count: number };
  /** A unit is a message; latencies are from sending to arrival. */
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
