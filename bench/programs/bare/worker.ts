/** Limit: a BullMQ worker that only answers. */
import { Worker } from 'bullmq';
import { program, type Shape } from '../../harness/program';
import { connectionOf, type QueueAddress } from './queue';

export interface BareWorker extends Shape {
  readonly options: QueueAddress & { readonly concurrency: number };
  readonly ready: null;
}

program<BareWorker>(async ({ redisUrl, prefix, name, concurrency }) => {
  const worker = new Worker(name, (job) => Promise.resolve(job.data as unknown), {
    connection: connectionOf(redisUrl),
    prefix,
    concurrency,
  });
  await worker.waitUntilReady();
  return { ready: null };
});
