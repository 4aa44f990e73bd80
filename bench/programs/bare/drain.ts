/** Limit: a backlog of bare BullMQ jobs, and the time until workers have done them all. */
import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Measurement } from '../../harness/benchmark';
import { program, type Shape } from '../../harness/program';
import { connectionOf, type QueueAddress } from './queue';

export interface BareDrain extends Shape {
  readonly options: QueueAddress;
  readonly ready: null;
  readonly order: { readonly drain: number };
  readonly report: Measurement;
}

const LOOK_MS = 10;
const BULK = 500;

program<BareDrain>(async ({ redisUrl, prefix, name }) => {
  const defaultJobOptions = { removeOnComplete: { count: 1000 } };
  const queue = new Queue(name, { connection: connectionOf(redisUrl), prefix, defaultJobOptions });
  await queue.waitUntilReady();
  return {
    ready: null,
    async run({ drain }) {
      await queue.pause();
      for (let begun = 0; begun < drain; begun += BULK) {
        const jobs = Array.from({ length: Math.min(BULK, drain - begun) }, (_, index) => ({
          name,
          data: { index: begun + index, text: 'The build of main has passed in 4 minutes.' },
        }));
        await queue.addBulk(jobs);
      }
      const began = performance.now();
      await queue.resume();
      for (;;) {
        const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
        if (waiting + active === 0) break;
        await wait(LOOK_MS);
      }
      return { units: drain, figures: { rate: (drain / (performance.now() - began)) * 1000 } };
    },
  };
});
