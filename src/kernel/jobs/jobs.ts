/** The asking end of jobs: puts them into their queues, and waits for answers with a deadline. */
import { QueueEvents } from 'bullmq';
import { tenantOf } from '../actor/address';
import { groupBy } from '../group';
import { newId } from '../id';
import type { Log } from '../log';
import type { Carrier } from '../mysql/outbox';
import type { Database } from '../mysql/pool';
import type { Transact } from '../mysql/transaction';
import type { RedisConnections } from '../redis/connections';
import { insertAsk } from './asks';
import { envelopeOf, JOB_CARRIER, jobDelivery, type JobDefinition, type JobOrder } from './job';
import { KEEP, workerOptions } from './queue-options';
import { openShelf, type Shelf } from './shelf';
import { openWaiters } from './waiters';

export interface Jobs {
  /** Has a job done and waits for its answer; a Fault thrown by the worker is thrown here. */
  ask<Payload, Answer>(job: JobDefinition<Payload, Answer>, payload: Payload, deadlineMs?: number): Promise<Answer>;
  /**
   * Has a job done soon, or after some time, for work that is kept elsewhere: while one of this id waits, another adds
   * nothing.
   */
  nudge<Payload>(job: JobDefinition<Payload, void>, id: string, payload: Payload, afterMs?: number): Promise<void>;
  /** Has a job done again and again, by one worker at a time. Setting the same schedule twice changes nothing. */
  schedule<Payload>(job: JobDefinition<Payload, unknown>, everyMs: number, payload: Payload): Promise<void>;
  isScheduled(job: JobDefinition<never, unknown>): Promise<boolean>;
  readonly carrier: Carrier;
  /** For those who look after queues. */
  readonly shelf: Shelf;
  readonly waiting: number;
  close(): Promise<void>;
}

export interface JobSettings {
  readonly namespace: string;
  readonly askDeadlineMs: number;
  readonly askPollMs: number;
}

const askId = (jobId: string): string => jobId.slice('ask-'.length);

export function openJobs(
  redis: RedisConnections,
  parts: { db: Database; transaction: Transact; log: Log },
  settings: JobSettings,
): Jobs {
  const shelf = openShelf(redis, settings.namespace, parts.log);
  const events = new Map<string, QueueEvents>();
  const waiters = openWaiters(parts.db, settings.askPollMs, parts.log);
  const onError = (error: Error) => parts.log.debug({ error }, 'queue connection');

  /** One per queue and process, whatever the number of those who wait. */
  function listen(name: string): void {
    if (events.has(name)) return;
    const made = new QueueEvents(name, workerOptions(redis, settings.namespace));
    made.on('error', onError);
    made.on('completed', ({ jobId }) => waiters.wake(askId(jobId)));
    made.on('failed', ({ jobId }) => waiters.wake(askId(jobId)));
    events.set(name, made);
  }

  const carrier: Carrier = {
    name: JOB_CARRIER,
    numbered: false,
    async carry(rows) {
      const orders = rows.map((row) => ({ row, order: JSON.parse(row.body) as JobOrder }));
      for (const [name, group] of groupBy(orders, ({ order }) => order.job)) {
        const to = await shelf.queue(name);
        await to.addBulk(
          group.map(({ row, order }) => ({
            name,
            data: order.envelope,
            opts: {
              // The same row always makes the same job: adding it twice adds it once.
              jobId: order.envelope.ask === undefined ? `row-${row.id}` : `ask-${order.envelope.ask}`,
              attempts: order.attempts,
              backoff: { type: 'exponential', delay: order.backoffMs, jitter: 0.5 },
            },
          })),
        );
      }
    },
  };

  return {
    carrier,
    shelf,
    async ask<Payload, Answer>(
      job: JobDefinition<Payload, Answer>,
      payload: Payload,
      deadlineMs = settings.askDeadlineMs,
    ) {
      const id = newId();
      listen(job.name);
      const answer = waiters.wait<Answer>(id, deadlineMs);
      // Should the insert fail, nobody awaits the answer; its rejection at the deadline is no one's concern.
      answer.catch(() => {});
      await parts.transaction(async (tx) => {
        await insertAsk(tx, id, job.name);
        tx.deliver(jobDelivery(tenantOf('kernel', 'jobs'), job, { ...envelopeOf(job, payload), ask: id }));
      });
      return answer;
    },
    async nudge(job, id, payload, afterMs = 0) {
      const to = await shelf.queue(job.name);
      // Gone when it is over, so that its id is free for the next.
      const over = { removeOnComplete: true, removeOnFail: true };
      const options = { jobId: id, attempts: job.attempts, delay: Math.ceil(afterMs), ...over };
      await to.add(job.name, envelopeOf(job, payload), options);
    },
    async schedule(job, everyMs, payload) {
      const to = await shelf.queue(job.name);
      await to.upsertJobScheduler(
        job.name,
        { every: everyMs },
        { name: job.name, data: { payload }, opts: { ...KEEP, attempts: job.attempts } },
      );
    },
    async isScheduled(job) {
      const to = await shelf.queue(job.name);
      return (await to.getJobScheduler(job.name)) !== undefined;
    },
    get waiting() {
      return waiters.size;
    },
    async close() {
      waiters.close();
      await Promise.all([shelf.close(), ...[...events.values()].map((each) => each.close())]);
    },
  };
}
