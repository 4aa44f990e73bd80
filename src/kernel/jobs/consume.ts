/** Runs jobs. A Fault is a final answer, a Busy job is delayed until its turn, and any other error is retried. */
import { DelayedError, UnrecoverableError, Worker, type Job } from 'bullmq';
import { Busy } from './busy';
import { Fault, recordFault } from '../fault';
import type { Kernel } from '../kernel';
import { isDiskFull, isUnreachable } from '../mysql/outcome';
import { finishReply, finishedAmong } from './job-replies';
import { TurnsTaken } from './fair-turns';
import type { JobDefinition, JobEnvelope } from './job';
import type { Jobs } from './jobs';
import { KEEP, workerOptions } from './queue-options';
import type { WorkerSlot } from './running';
import { isLater, versionOf } from './versions';

type Parts = Pick<Kernel, 'jobs' | 'lifecycle' | 'log' | 'redis' | 'settings'>;

export interface JobContext {
  /** Aborted when the process drains. */
  readonly signal: AbortSignal;
  readonly attempt: number;
}

export interface Consumer<Payload, Answer> {
  readonly job: JobDefinition<Payload, Answer>;
  readonly concurrency: number;
  /** A job not renewed for this long is given to another worker; `jobLockMs` by default. */
  readonly lockMs?: (settings: Kernel['settings']) => number;
  /** How often it runs by itself, and with which payload; undefined if it runs only on request. */
  readonly schedule?: (settings: Kernel['settings']) => { everyMs: number; payload: Payload };
  run(kernel: Kernel, payload: Payload, context: JobContext): Promise<Answer>;
  /** Runs once a job is over and its id is free again. */
  after?(kernel: Pick<Kernel, 'jobs' | 'mysql'>, payload: Payload): Promise<void>;
}

export function consume<Payload, Answer>(
  job: JobDefinition<Payload, Answer>,
  options: Omit<Consumer<Payload, Answer>, 'job'>,
): Consumer<Payload, Answer> {
  return { job, ...options };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of workers holds consumers of every payload
export type AnyConsumer = Consumer<any, any>;

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
      // A job is repeated when its worker dies. `attempts` bounds failures, not crashes.
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
    forgetFailures(kernel.jobs, definition.name).catch((error: Error) =>
      kernel.log.debug({ error, queue: definition.name }, 'could not delete failed runs; the next run tries again'),
    );
  });
  kernel.lifecycle.on('jobs', definition.name, () => worker.close());
  await worker.waitUntilReady();
  await setSchedule(kernel, consumer);
  if (consumer.schedule) keepSchedule(kernel, consumer);
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
      if (!(await kernel.jobs.isScheduled(consumer.job as JobDefinition<never, unknown>))) {
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

/** Until a job is tried again whose answer could not be read or written. */
const AWAY_MS = 500;

/** That the rows of answers cannot be reached or written is no failure of the job: it costs none of its attempts. */
async function withAnswers<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUnreachable(error) || isDiskFull(error)) throw new Busy('the rows of answers cannot be reached', AWAY_MS);
    throw error;
  }
}

async function answer(
  kernel: Pick<Kernel, 'mysql' | 'replies'>,
  request: string,
  result: Parameters<typeof finishReply>[2],
): Promise<void> {
  await withAnswers(finishReply(kernel.mysql, request, result));
  await kernel.replies.publish([{ id: request }]);
}

/** The delay before a job for a later release is looked at again. */
const LEFT_MS = 1000;

function ensureReadable({ job }: AnyConsumer, version: number | undefined): void {
  if (isLater(version, versionOf(job))) throw new Busy('this is for a worker of a later release', LEFT_MS);
}

async function runJob(kernel: Kernel, consumer: AnyConsumer, job: Job<JobEnvelope<unknown>>, token?: string) {
  const stop = kernel.metrics.jobStarted(consumer.job.name);
  try {
    return stop(await attempt(kernel, consumer, job));
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

async function attempt(kernel: Kernel, consumer: AnyConsumer, job: Job<JobEnvelope<unknown>>) {
  const { payload, request, v } = job.data;
  const isLast = job.attemptsMade + 1 >= consumer.job.attempts;
  try {
    ensureReadable(consumer, v);
    // Another worker finished the job and died before it said so.
    if (request !== undefined && (await withAnswers(finishedAmong(kernel.mysql, [request]))).length > 0)
      return 'repeat';
    const value: unknown = await consumer.run(kernel, payload, {
      signal: kernel.lifecycle.draining,
      attempt: job.attemptsMade + 1,
    });
    if (request !== undefined) await answer(kernel, request, { value });
    return 'done';
  } catch (error) {
    if (error instanceof Busy) throw error;
    const fault = error instanceof Fault ? error : undefined;
    if (request !== undefined && (fault || isLast)) {
      await answer(kernel, request, { fault: fault ?? new Fault('internal', 'The job failed', { cause: error }) });
    }
    if (fault) throw new UnrecoverableError(JSON.stringify(recordFault(fault)));
    throw error;
  }
}
