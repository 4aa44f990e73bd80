/**
 * Housekeeping: deletes expired rows and log entries for the whole cluster. It needs no single writer: two workers that
 * run it at once delete the same rows, each once.
 */
import { redisKey, type Tenant } from '../actor/address';
import { eventLog } from '../event-log/event-log';
import type { Database } from '../mysql/pool';
import type { Keyspace } from '../redis/connections';
import { consume, type Consumer } from './consume';
import { defineJob } from './job';
import type { Kernel } from '../kernel';
import { retryDeadlocks } from '../mysql/retry-deadlocks';

type Parts = Pick<Kernel, 'mysql' | 'settings'>;

const MAX_AT_ONCE = 500;
const MICROSECONDS = 1000;

const job = defineJob<null>('housekeeping');

/** Any number of workers may run it, also at once. */
export const housekeeping: Consumer<null> = consume(job, {
  concurrency: 1,
  schedule: ({ housekeepingMs }) => ({ everyMs: housekeepingMs, payload: null }),
  async run(kernel, _payload, { signal }) {
    for (const forgetSome of [forgetPublished, forgetReplayable, forgetAnswers]) {
      while (!signal.aborted && (await forgetSome(kernel)) === MAX_AT_ONCE);
    }
  },
});

const isOld = ({ mysql, settings }: Parts, column: string, ageMs = settings.eventLogWindowMs) =>
  mysql.raw('?? < NOW(3) - INTERVAL ? MICROSECOND', [column, ageMs * MICROSECONDS]);

interface PublishedRow {
  readonly id: number;
  readonly tenant: Tenant;
  readonly number: number | null;
}

const oldRows = (kernel: Parts, isReplayable: boolean, ageMs?: number): Promise<PublishedRow[]> =>
  kernel
    .mysql('kernel_outbox')
    .where('is_replayable', isReplayable)
    .whereNotNull('published_at')
    .where(isOld(kernel, 'published_at', ageMs))
    .orderBy('published_at')
    .limit(MAX_AT_ONCE)
    .select('id', 'tenant', 'number');

async function remove(db: Database, table: string, ids: readonly (number | string)[]): Promise<void> {
  if (ids.length > 0) await retryDeadlocks(async () => db(table).whereIn('id', ids).delete());
}

const idsOf = (rows: readonly PublishedRow[]): number[] => rows.map(({ id }) => id);

/** Rows leave the outbox and the log together: both cover the same window. */
async function forgetPublished(kernel: Keyspace & Pick<Kernel, 'mysql' | 'settings'>): Promise<number> {
  const rows = await oldRows(kernel, false);
  const newest = new Map<Tenant, number>();
  for (const { tenant, number } of rows) {
    if (number !== null) newest.set(tenant, Math.max(number, newest.get(tenant) ?? 0));
  }
  await cutLogs(kernel, newest);
  await remove(kernel.mysql, 'kernel_outbox', idsOf(rows));
  return rows.length;
}

/** Replayable events are in no Redis log. */
async function forgetReplayable(kernel: Parts): Promise<number> {
  const rows = await oldRows(kernel, true, kernel.settings.eventReplayMs);
  await remove(kernel.mysql, 'kernel_outbox', idsOf(rows));
  return rows.length;
}

async function cutLogs({ namespace, redis }: Keyspace, upTo: ReadonlyMap<Tenant, number>): Promise<void> {
  await Promise.all(
    [...upTo].map(([tenant, number]) => {
      const key = redisKey(namespace, { tenant, kind: eventLog.kind, id: '' });
      return redis.commands.xtrim(`${key}:rows`, 'MINID', number + 1);
    }),
  );
}

async function forgetAnswers(kernel: Parts): Promise<number> {
  const old = kernel.mysql('kernel_job_requests').where(isOld(kernel, 'created_at'));
  const ids = (await old.limit(MAX_AT_ONCE).pluck('id')) as string[];
  await remove(kernel.mysql, 'kernel_job_requests', ids);
  return ids.length;
}
