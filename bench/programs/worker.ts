/** Ours: the worker process that answers the benchmarks' jobs. */
import { loadConfig } from '../../config';
import { consume, startConsumer } from '../../src/kernel/jobs/consume';
import { openKernel } from '../../src/kernel/kernel';
import { program, type Shape } from '../harness/program';
import { echo } from './echo';

export interface JobWorker extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>>; readonly concurrency: number };
  readonly ready: null;
}

program<JobWorker>(async ({ environment, concurrency }) => {
  const kernel = await openKernel(loadConfig(environment));
  await startConsumer(kernel, consume(echo, { concurrency, run: (_kernel, value) => Promise.resolve(value) }));
  return { ready: null };
});
