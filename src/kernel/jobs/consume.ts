/** Runs jobs. A Busy job is delayed until its turn; a job that fails otherwise is over. */
import { DelayedError, Worker, type Job } from 'bullmq';
import { Busy } from './busy';
import type { Kernel } from '../kernel';
import { TurnsTaken } from './fair-turns';
import { defineJob, type JobDefinition, type JobEnvelope } from './job';
import type { Jobs } from './jobs';
import { KEEP, workerOptions } from './queue-options';
import type { WorkerSlot } from './running';
import type { Clearing, Sweep } from './sweeper';
import { isLater, versionOf } from './versions';

type Parts = Pick<Kernel, 'jobs' | 'lifecycle' | 'log' | 'redis' | 'settings'>;

export interface JobContext {
  /** Aborted when the process drains. */
  readonly signal: AbortSignal;
}

export interface Consumer<Payload> {
  readonly job: JobDefinition<Payload>;
  readonly concurrency: number;
  /** A job not renewed for this long is given to another worker; `jobLockMs` by default. */
  readonly lockMs?: (settings: Kernel['settings']) => number;
  /** How often it runs by itself, and with which payload; undefined if it runs only on request. */
  readonly schedule?: (settings: Kernel['settings']) => { everyMs: number; payload: Payload };
  /** What its process looks for in MySQL, because nobody may have woken it. */
  readonly sweeps?: (kernel: Pick<Kernel, 'jobs' | 'mysql' | 'settings'>) => readonly Sweep[];
  /** What its process deletes once it is old. */
  readonly clearings?: readonly Clearing[];
  run(kernel: Kernel, payload: Payload, context: JobContext): Promise<void>;
  /** Runs once a job is over and its id is free again. */
  after?(kernel: Pick<Kernel, 'jobs' | 'mysql'>, payload: Payload): Promise<void>;
}

export const consume = <Payload>(
  job: JobDefinition<Payload>,
  options: Omit<Consumer<Payload>, 'job'>,
): Consumer<Payload> => ({ job, ...options });

/** A worker that runs when a sweep finds something to do, once for all that was found. */
export function wokenBySweeps(
  name: string,
  { run, ...sweep }: Pick<Sweep, 'everyMs' | 'find'> & Pick<Consumer<null>, 'run'>,
): Consumer<null> {
  const job = defineJob<null>(name);
  return {
    job,
    concurrency: 1,
    lockMs: wakeLockMs,
    sweeps: ({ jobs }) => [{ name, ...sweep, found: () => jobs.wake({ job, id: 'due', payload: null }) }],
    run,
  };
}

/** While a dead worker's job lies in the queue, no wake under the same id adds another. */
export const wakeLockMs = ({ leaseMs, jobLockMs }: Kernel['settings']): number => Math.min(leaseMs, jobLockMs);

// oxlint-disable-next-line typescript/no-explicit-any -- a list of workers holds consumers of every payload
export type AnyConsumer = Consumer<any>;

/** Consumers by the names that operators start them with. */
export type Workers = Readonly<Record<string, AnyConsumer>>;

/** Starts a worker, which ends with the kernel's drain. */
export async function startConsumer(kernel: Kernel, consumer: AnyConsumer): Promise<void> {
  const { job: definition, concurrency } = consumer;
  const slot = kernel.running.open(definition.name, concurrency);
  const lockMs = consumer.lockMs?.(kernel.settings) ?? kernel.settings.jobLockMs;
  const turns = new TurnsTaken(kernel.redis.commands, kernel.namespace, definition.name);
  const worker = new Worker<JobEnvelope<unknown>>(
    definition.name,
    (job, token) => {
      turns.note(job.opts.priority);
      return inSlot(slot, job, () => runJob(kernel, consumer, job, token));
    },
    {
      ...workerOptions(kernel.redis, kernel.namespace),
      name: kernel.settings.nodeName,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A job is repeated when its worker dies, though not when it fails.
      maxStalledCount: 10,
    },
  );
  worker.on('error', (error) => kernel.log.debug({ error, queue: definition.name }, 'worker connection'));
  worker.on('failed', (job, error) => {
    kernel.log.warn({ error, queue: definition.name, job: job?.id, attempts: job?.attemptsMade }, 'job failed');
  });
  worker.on('drained', () => turns.begin());
  worker.on('completed', (job) => {
    const next = consumer.after?.(kernel, job.data.payload);
    next?.catch((error: Error) => kernel.log.debug({ error, queue: definition.name }, 'could not queue the next turn'));
  });
  worker.on('completed', ({ repeatJobKey }) => {
    if (repeatJobKey === undefined) return;
    // Without a schedule here, it is that of an earlier release.
    const tidied = consumer.schedule
      ? forgetFailures(kernel.jobs, definition.name)
      : kernel.jobs.unschedule(definition);
    tidied.catch((error: Error) =>
      kernel.log.debug({ error, queue: definition.name }, 'could not tidy up after a run; the next run tries again'),
    );
  });
  kernel.lifecycle.on('jobs', definition.name, () => worker.close());
  await worker.waitUntilReady();
  await setSchedule(kernel, consumer);
  if (consumer.schedule) keepSchedule(kernel, consumer);
  kernel.sweeper.add(consumer.sweeps?.(kernel) ?? [], consumer.clearings);
}

/** A scheduled run does what earlier ones failed to do, so those are no dead letters. Wakes in its queue leave none. */
async function forgetFailures(jobs: Jobs, name: string): Promise<void> {
  const queue = await jobs.registry.queue(name);
  await queue.clean(0, KEEP.removeOnFail.count, 'failed');
}

/** Redis may have lost the schedule with its data, perhaps without closing a connection. */
function keepSchedule(kernel: Parts, consumer: AnyConsumer): void {
  const keep = async () => {
    try {
      if (!(await kernel.jobs.isScheduled(consumer.job as JobDefinition<never>))) {
        await setSchedule(kernel, consumer);
      }
    } catch (error) {
      kernel.log.debug({ error, queue: consumer.job.name }, 'could not check a schedule; trying again');
    }
  };
  const timer = setInterval(() => void keep(), kernel.settings.sweepAfterMs);
  kernel.redis.onReachable(() => void keep());
  kernel.lifecycle.on('jobs', `${consumer.job.name} schedule`, () => clearInterval(timer));
}

/** Records the running job, and how long after it was due it ended. */
async function inSlot<T>(slot: WorkerSlot, job: Job<JobEnvelope<unknown>>, work: () => Promise<T>): Promise<T> {
  const id = job.id ?? '';
  slot.taken += 1;
  slot.running.set(id, { id, since: Date.now(), payload: job.data.payload });
  const count = (outcome: 'done' | 'failed') => {
    slot.counters.count(outcome, Date.now() - job.timestamp - (job.opts.delay ?? 0));
  };
  try {
    const result = await work();
    count('done');
    return result;
  } catch (error) {
    // A delayed job has not ended.
    if (!(error instanceof DelayedError)) count('failed');
    throw error;
  } finally {
    slot.running.delete(id);
  }
}

async function setSchedule(kernel: Pick<Kernel, 'jobs' | 'settings'>, { job, schedule }: AnyConsumer): Promise<void> {
  if (!schedule) return;
  const { everyMs, payload } = schedule(kernel.settings);
  await kernel.jobs.schedule(job, everyMs, payload as unknown);
}

/** The delay before a job for a later release is looked at again. */
const LEFT_MS = 1000;

function ensureReadable({ job }: AnyConsumer, version: number | undefined): void {
  if (isLater(version, versionOf(job))) throw new Busy('this is for a worker of a later release', LEFT_MS);
}

async function runJob(kernel: Kernel, consumer: AnyConsumer, job: Job<JobEnvelope<unknown>>, token?: string) {
  const stop = kernel.metrics.jobStarted(consumer.job.name);
  try {
    ensureReadable(consumer, job.data.v);
    await consumer.run(kernel, job.data.payload, { signal: kernel.lifecycle.draining });
    stop('done');
  } catch (error) {
    if (!(error instanceof Busy)) {
      stop('failed');
      throw error;
    }
    stop('busy');
    await job.moveToDelayed(Date.now() + error.retryMs * (0.75 + Math.random() / 2), token);
    throw new DelayedError();
  }
}
