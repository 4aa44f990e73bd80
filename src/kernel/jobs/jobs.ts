/** Puts jobs into their queues, and waits for their replies with a deadline. */
import { groupBy } from '../group';
import { newId } from '../id';
import type { Log } from '../log';
import type { OutboxPublisher } from '../mysql/outbox';
import type { Transact } from '../mysql/transaction';
import type { RedisConnections } from '../redis/connections';
import type { Replies } from '../replies';
import { pendingReply, readReply, type Answer as Answered } from './job-replies';
import { BurstWakes } from './burst-wakes';
import { turnsOf } from './fair-turns';
import {
  envelopeOf,
  JOB_PUBLISHER,
  jobDelivery,
  NOBODY,
  type JobDefinition,
  type JobOrder,
  type Waker,
  type WakeOrder,
} from './job';
import { KEEP } from './queue-options';
import { openQueueRegistry, type QueueRegistry } from './queue-registry';

export interface Jobs extends Waker {
  /** Runs a job and waits for its reply. Throws the Fault that the worker threw. */
  request<Payload, Answer>(job: JobDefinition<Payload, Answer>, payload: Payload, deadlineMs?: number): Promise<Answer>;
  /** Runs a job soon, or after a delay, for work stored elsewhere. While one with this id waits, more add nothing. */
  wakeOne<Payload>(job: JobDefinition<Payload, void>, id: string, payload: Payload, afterMs?: number): Promise<void>;
  /** Runs a job periodically, on one worker at a time. Setting the same schedule twice changes nothing. */
  schedule<Payload>(job: JobDefinition<Payload, unknown>, everyMs: number, payload: Payload): Promise<void>;
  isScheduled(job: JobDefinition<never, unknown>): Promise<boolean>;
  readonly publisher: OutboxPublisher;
  /** For the administration of queues. */
  readonly registry: QueueRegistry;
  close(): Promise<void>;
}

export interface JobSettings {
  readonly namespace: string;
  readonly jobReplyDeadlineMs: number;
}

export function openJobs(
  redis: RedisConnections,
  parts: { transaction: Transact; log: Log; replies: Replies<Answered>; draining: AbortSignal },
  settings: JobSettings,
): Jobs {
  const registry = openQueueRegistry(redis, settings.namespace, parts.log);
  const waking = new Set<Promise<void>>();
  const turnParts = { redis: redis.commands, namespace: settings.namespace };

  /** A tenant with many jobs does not delay those of others. */
  async function inTurns<Job extends { readonly opts: object; readonly turnOf: string | undefined }>(
    name: string,
    jobs: readonly Job[],
  ): Promise<Job[]> {
    const turns = await turnsOf(
      turnParts,
      name,
      jobs.map(({ turnOf }) => turnOf),
    );
    return jobs.map((job, index) => {
      const priority = turns[index];
      return priority === undefined ? job : { ...job, opts: { ...job.opts, priority } };
    });
  }

  async function wakeQueue(name: string, orders: readonly WakeOrder[]): Promise<void> {
    const to = await registry.queue(name);
    // Removed when it is over, so that its id is free for the next.
    const over = { removeOnComplete: true, removeOnFail: true };
    const jobs = orders.map(({ job, id, payload, afterMs = 0 }) => ({
      name,
      data: envelopeOf(job, payload),
      opts: { jobId: id, attempts: job.attempts, delay: Math.ceil(afterMs), ...over },
      turnOf: (job.turnOf ?? job.whose)?.(payload),
    }));
    await to.addBulk(await inTurns(name, jobs));
  }

  const bursts = new BurstWakes({ ...parts, wakeNow: (order) => wakeQueue(order.job.name, [order]) });

  const publisher: OutboxPublisher = {
    name: JOB_PUBLISHER,
    numbered: false,
    async publish(rows) {
      const orders = rows.map((row) => ({ row, order: JSON.parse(row.body) as JobOrder }));
      for (const [name, group] of groupBy(orders, ({ order }) => order.job)) {
        const to = await registry.queue(name);
        const jobs = group.map(({ row, order }) => ({
          name,
          data: order.envelope,
          opts: {
            // The same row always makes the same job id: adding it twice adds it once.
            jobId: order.envelope.request === undefined ? `row-${row.id}` : `request-${order.envelope.request}`,
            attempts: order.attempts,
            backoff: { type: 'exponential', delay: order.backoffMs, jitter: 0.5 },
          },
          turnOf: order.envelope.tenant,
        }));
        await to.addBulk(await inTurns(name, jobs));
      }
    },
  };

  return {
    publisher,
    registry,
    async request<Payload, Answer>(
      job: JobDefinition<Payload, Answer>,
      payload: Payload,
      deadlineMs = settings.jobReplyDeadlineMs,
    ) {
      const id = newId();
      // Before the row is written: a fast worker must not reply before we listen.
      const waited = parts.replies.wait(id, deadlineMs);
      await parts.transaction((tx) => {
        tx.writeLast(pendingReply(id, job.name));
        tx.deliver(jobDelivery(NOBODY, job, { ...envelopeOf(job, payload), request: id }));
        return Promise.resolve();
      });
      return readReply<Answer>(await waited);
    },
    wakeOne: (job, id, payload, afterMs) =>
      wakeQueue(job.name, [{ job, id, payload, ...(afterMs === undefined ? {} : { afterMs }) }]),
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
      await to.upsertJobScheduler(
        job.name,
        { every: everyMs },
        { name: job.name, data: envelopeOf(job, payload), opts: { ...KEEP, attempts: job.attempts } },
      );
    },
    async isScheduled(job) {
      const to = await registry.queue(job.name);
      return (await to.getJobScheduler(job.name)) !== undefined;
    },
    async close() {
      await Promise.all(waking);
      await registry.close();
    },
  };
}
