/** Ours: a kernel transaction that publishes one numbered event, with or without a row change. */
import { loadConfig } from '../../config';
import { tenantOf } from '../../src/kernel/actor/address';
import { logEvent } from '../../src/kernel/event-log/log-publisher';
import { openKernel } from '../../src/kernel/kernel';
import type { Measurement } from '../harness/benchmark';
import { closedLoop, type Loop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import { EVENT, ROW } from './payload';

export interface Transact extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>> };
  readonly ready: null;
  readonly order: Loop & { readonly change: boolean };
  readonly report: Measurement;
}

program<Transact>(async ({ environment }) => {
  const kernel = await openKernel(loadConfig(environment));
  const tenant = tenantOf('bench', 'transact');
  return {
    ready: null,
    async run({ change, ...loop }) {
      const once = () =>
        kernel.transaction(async (tx) => {
          if (change) await tx.db('bench_rows').insert({ body: ROW });
          tx.deliver(logEvent(tenant, EVENT));
        });
      const measurement = await closedLoop(loop, once);
      // Pending outbox rows must not disturb the other side's measurement.
      await kernel.outbox.settle();
      return measurement;
    },
  };
});
