/** Puts jobs into their queues: wakes for work that is stored in rows, and schedules. */
import { groupBy } from '../group';
import type { Log } from '../log';
import type { Keyspace } from '../redis/connections';
import { BurstWakes } from './burst-wakes';
import { turnsOf } from './fair-turns';
import { envelopeOf, type JobDefinition, type Waker, type WakeOrder } from './job';
import { KEEP } from './queue-options';
import { openQueueRegistry, type QueueRegistry } from './queue-registry';

export interface Jobs extends Waker {
  /** Runs a job periodically, on one worker at a time. Setting the same schedule twice changes nothing. */
  schedule<Payload>(job: JobDefinition<Payload>, everyMs: number, payload: Payload): Promise<void>;
  isScheduled(job: JobDefinition<never>): Promise<boolean>;
  unschedule(job: JobDefinition<never>): Promise<void>;
  /** For the administration of queues. */
  readonly registry: QueueRegistry;
  close(): Promise<void>;
}

export function openJobs(
  { redis, namespace }: Keyspace,
  parts: { readonly log: Log; readonly draining: AbortSignal },
): Jobs {
  const registry = openQueueRegistry(redis, namespace, parts.log);
  const waking = new Set<Promise<void>>();
  const turnParts = { redis: redis.commands, namespace };

  async function wakeQueue(name: string, orders: readonly WakeOrder[]): Promise<void> {
    const to = await registry.queue(name);
    // A tenant with many jobs does not delay those of others.
    const groups = orders.map(({ job, payload }) => (job.turnOf ?? job.whose)?.(payload));
    const turns = await turnsOf(turnParts, name, groups);
    // Removed when it is over, so that its id is free for the next.
    const over = { removeOnComplete: true, removeOnFail: true };
    const jobs = orders.map(({ job, id, payload, afterMs = 0 }, index) => {
      const turn = turns[index] === undefined ? {} : { priority: turns[index] };
      return { name, data: envelopeOf(job, payload), opts: { jobId: id, delay: Math.ceil(afterMs), ...over, ...turn } };
    });
    // Most wakes are alone. The pipeline of a bulk costs about as much as the rest of a wake.
    const [first, ...others] = jobs;
    if (first && others.length === 0) await to.add(first.name, first.data, first.opts);
    else await to.addBulk(jobs);
  }

  const bursts = new BurstWakes({ ...parts, wakeNow: (order) => wakeQueue(order.job.name, [order]) });

  return {
    registry,
    wake(...orders) {
      for (const order of orders) if (order.isBurst) bursts.wake(order);
      const alone = orders.filter(({ isBurst }) => !isBurst);
      for (const [name, group] of groupBy(alone, ({ job }) => job.name)) {
        const work = wakeQueue(name, group)
          .catch((error: Error) => parts.log.debug({ error, queue: name }, 'could not wake a worker; a sweep will'))
          .finally(() => waking.delete(work));
        waking.add(work);
      }
    },
    async schedule(job, everyMs, payload) {
      const to = await registry.queue(job.name);
      const template = { name: job.name, data: envelopeOf(job, payload), opts: KEEP };
      await to.upsertJobScheduler(job.name, { every: everyMs }, template);
    },
    async isScheduled(job) {
      const to = await registry.queue(job.name);
      return (await to.getJobScheduler(job.name)) !== undefined;
    },
    async unschedule(job) {
      const to = await registry.queue(job.name);
      await to.removeJobScheduler(job.name);
    },
    async close() {
      await Promise.all(waking);
      await registry.close();
    },
  };
}
