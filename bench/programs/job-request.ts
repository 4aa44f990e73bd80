/** Ours: the round trip of a request to a mailbox, through a worker process to the reply. */
import { loadConfig } from '../../config';
import { tenantOf } from '../../src/kernel/actor/address';
import { openKernel } from '../../src/kernel/kernel';
import type { Measurement } from '../harness/benchmark';
import { closedLoop, type Loop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import { echo } from './echo';

export interface JobRequest extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>> };
  readonly ready: null;
  readonly order: Loop;
  readonly report: Measurement;
}

const TENANT = tenantOf('bench', 'echo');

program<JobRequest>(async ({ environment }) => {
  const kernel = await openKernel(loadConfig(environment));
  const ask = async (index: number) => {
    const answer = await echo.at(TENANT).request<number>(kernel, { index });
    if (answer !== index) throw new Error(`asked ${index} and was answered ${answer}`);
  };
  return {
    ready: null,
    async run(loop) {
      const measurement = await closedLoop(loop, ask);
      await kernel.outbox.settle();
      return measurement;
    },
  };
});
