/** The queues as operators see them: depth, age, rate, and whether they are paused. */
import { Queue } from 'bullmq';
import type { Kernel } from '../kernel';
import type { BriefRedis } from '../redis/brief';
import type { Keyspace } from '../redis/connections';
import { readPace, type Pace } from './counters';
import type { Jobs } from './jobs';
import { producerOptions } from './queue-options';
import { readQueueNames } from './queue-registry';

export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** Jobs with a priority wait too. */
const depthOf = (queue: string, counts: Readonly<Record<string, number>>): QueueDepth => ({
  queue,
  waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
  active: counts['active'] ?? 0,
  delayed: counts['delayed'] ?? 0,
  failed: counts['failed'] ?? 0,
});

/** The depths of all queues, without a worker or a producer. */
export async function listQueueDepths(redis: BriefRedis, namespace: string): Promise<QueueDepth[]> {
  const options = producerOptions(redis, namespace);
  const depths: QueueDepth[] = [];
  for (const name of await readQueueNames(redis, namespace)) {
    const queue = new Queue(name, { ...options, skipMetasUpdate: true, skipWaitingForReady: true });
    queue.on('error', () => {});
    depths.push(depthOf(name, await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed')));
    await queue.close();
  }
  return depths;
}

export interface QueueReport extends QueueDepth, Pace {
  readonly completed: number;
  readonly isPaused: boolean;
  /** The age of the oldest waiting job; null if none waits. */
  readonly oldestMs: number | null;
}

export async function reportQueues(kernel: Keyspace & Pick<Kernel, 'jobs'>): Promise<QueueReport[]> {
  const names = await kernel.jobs.registry.names();
  return Promise.all(names.map((name) => reportQueue(kernel, name)));
}

async function reportQueue(kernel: Keyspace & Pick<Kernel, 'jobs'>, name: string): Promise<QueueReport> {
  const queue = await kernel.jobs.registry.queue(name);
  const [counts, [oldest], isPaused, pace] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'),
    queue.getJobs(['waiting', 'prioritized'], 0, 0, true),
    queue.isPaused(),
    readPace(kernel.redis.commands, kernel.namespace, name),
  ]);
  return {
    ...depthOf(name, counts),
    completed: counts['completed'] ?? 0,
    isPaused,
    oldestMs: oldest ? Math.max(Date.now() - oldest.timestamp - (oldest.opts.delay ?? 0), 0) : null,
    ...pace,
  };
}

export interface ScheduleReport {
  readonly queue: string;
  readonly name: string;
  readonly everyMs: number | null;
  readonly pattern: string | null;
  readonly nextAt: string | null;
  readonly runs: number | null;
}

export async function reportSchedules(jobs: Jobs): Promise<ScheduleReport[]> {
  const names = await jobs.registry.names();
  const lists = await Promise.all(
    names.map(async (name) => {
      const queue = await jobs.registry.queue(name);
      const schedulers = await queue.getJobSchedulers();
      return schedulers.map(({ key, every, pattern, next, iterationCount }) => ({
        queue: name,
        name: key,
        everyMs: every === undefined ? null : Number(every),
        pattern: pattern ?? null,
        nextAt: next === undefined ? null : new Date(next).toISOString(),
        runs: iterationCount ?? null,
      }));
    }),
  );
  return lists.flat();
}

/** Pauses or resumes a queue on every worker. Returns whether the queue exists. */
export async function setPaused(jobs: Jobs, name: string, isPaused: boolean): Promise<boolean> {
  if (!(await jobs.registry.names()).includes(name)) return false;
  const queue = await jobs.registry.queue(name);
  await (isPaused ? queue.pause() : queue.resume());
  return true;
}
