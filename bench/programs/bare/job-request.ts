/** Limit: bare BullMQ, from adding a job to learning that another process has finished it. */
import { Queue, QueueEvents } from 'bullmq';
import type { Measurement } from '../../harness/benchmark';
import { closedLoop, type Loop } from '../../harness/closed-loop';
import { program, type Shape } from '../../harness/program';
import { connectionOf, type QueueAddress } from './queue';

export interface BareJobRequest extends Shape {
  readonly options: QueueAddress;
  readonly ready: null;
  readonly order: Loop;
  readonly report: Measurement;
}

program<BareJobRequest>(async ({ redisUrl, prefix, name }) => {
  const options = { connection: connectionOf(redisUrl), prefix };
  const queue = new Queue(name, { ...options, defaultJobOptions: { removeOnComplete: { count: 1000 } } });
  const events = new QueueEvents(name, options);
  // One listener per outstanding job.
  events.setMaxListeners(0);
  queue.setMaxListeners(0);
  await events.waitUntilReady();
  const ask = async (index: number) => {
    const job = await queue.add(name, index);
    await job.waitUntilFinished(events);
  };
  return { ready: null, run: (loop) => closedLoop(loop, ask) };
});
