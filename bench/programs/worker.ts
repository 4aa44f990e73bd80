/** Ours: the worker process that answers the benchmarks' requests. */
import { loadConfig } from '../../config';
import { startConsumer } from '../../src/kernel/jobs/consume';
import { openKernel } from '../../src/kernel/kernel';
import { done } from '../../src/kernel/mailbox/ending';
import { each } from '../../src/kernel/mailbox/work';
import { mailboxWorker } from '../../src/kernel/mailbox/worker';
import { program, type Shape } from '../harness/program';
import { echo } from './echo';

export interface JobWorker extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>>; readonly concurrency: number };
  readonly ready: null;
}

program<JobWorker>(async ({ environment, concurrency }) => {
  const kernel = await openKernel(loadConfig(environment));
  const handle = each<{ index: number }>((_turn, { body }) => Promise.resolve(done({ answer: body.index })));
  await startConsumer(kernel, mailboxWorker({ ...echo, concurrency }, { handle }));
  return { ready: null };
});
