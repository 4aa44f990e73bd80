/** Carries numbered outbox rows into their tenants' logs, first filling in whatever numbers Redis is missing. */
import type { Tenant } from '../actor/address';
import { Cache } from '../cache';
import { groupBy } from '../group';
import type { Kernel } from '../kernel';
import { perKernel } from '../per-kernel';
import type { Carrier, Delivery } from '../mysql/outbox';
import { EVENTS_ROW, type EventsRow } from '../mysql/outbox-rows';
import { eventLog, type Published } from './event-log';

export const LOG_CARRIER = 'log';

/** An event for everyone who follows the tenant's log. */
export const logEvent = (tenant: Tenant, body: string): Delivery => ({ carrier: LOG_CARRIER, tenant, body });

/** One script keeps Redis busy for as long as it runs; this many events take well under a millisecond. */
const MOST_AT_ONCE = 200;

export function logCarrier(kernel: Kernel): Carrier {
  return {
    name: LOG_CARRIER,
    numbered: true,
    async carry(rows) {
      await kernel.pause('before-publish');
      const tenants = groupBy(rows, (row) => row.tenant);
      await Promise.all(
        [...tenants].map(([tenant, own]) => {
          const told = own.map(({ number, events = 1, first_record = null, body }) => ({
            number: number!,
            events,
            first_record,
            body,
          }));
          return publishTogether(kernel, tenant, told);
        }),
      );
    },
  };
}

/** What this process has to tell of one tenant, and the telling that is under way. */
interface Telling {
  waiting: EventsRow[];
  done: Promise<void> | undefined;
}

const tellings = perKernel(() => new Map<Tenant, Telling>());

/**
 * Commits that come close together would be told out of order, each finding the other missing. So one telling at a time:
 * what comes meanwhile waits, and goes together in order.
 */
async function publishTogether(kernel: Kernel, tenant: Tenant, rows: readonly EventsRow[]): Promise<void> {
  const own = tellings(kernel);
  let telling = own.get(tenant);
  if (!telling) own.set(tenant, (telling = { waiting: [], done: undefined }));
  telling.waiting.push(...rows);
  // Whoever joins a telling that has begun is told of in the next.
  if (telling.done) await telling.done.catch(() => {});
  if (telling.waiting.length === 0) return telling.done ?? undefined;
  const batch = telling.waiting.sort((a, b) => a.number - b.number);
  telling.waiting = [];
  telling.done = publishInOrder(kernel, tenant, batch);
  await telling.done;
}

async function publishInOrder(kernel: Kernel, tenant: Tenant, rows: readonly EventsRow[]): Promise<void> {
  for (let left = rows; left.length > 0;) {
    const batch = fewOf(left);
    left = left.slice(batch.length);
    let published = await publish(kernel, tenant, batch);
    while (published.state !== 'done') {
      const { head = 0 } = published as { head?: number };
      const next = batch.find(({ number }) => number > head);
      if (published.state === 'unknown') await begin(kernel, tenant, await lastTold(kernel, tenant));
      else await fillGap(kernel, tenant, head, next);
      published = await publish(kernel, tenant, batch);
    }
  }
}

const begin = (kernel: Kernel, tenant: Tenant, number: number): Promise<number> =>
  eventLog.at(kernel, tenant).ask('begin', number);

/** The end of a busy tenant's log is not put off with every commit, only so often. */
const PUT_OFF_MS = 1000;
const LOGS = { entries: 10_000, bytes: 4 * 1024 * 1024 };

/** When this process last put off the end of each log. */
const putOffs = perKernel(() => new Cache<Tenant, number>(LOGS));

/** Redis was away: logs may have lost their ends. */
export const doubtEnds = (kernel: Kernel): void => putOffs(kernel).clear();

async function publish(kernel: Kernel, tenant: Tenant, rows: readonly EventsRow[]): Promise<Published> {
  const now = performance.now();
  const last = putOffs(kernel).get(tenant) ?? -Infinity;
  const endsInMs = now - last < PUT_OFF_MS ? null : kernel.settings.eventLogWindowMs + PUT_OFF_MS;
  const published = await eventLog.at(kernel, tenant).ask('publish', { tenant, endsInMs, rows });
  // What Redis has is not what was told last: it may have lost the end as well.
  if (published.state !== 'done') putOffs(kernel).delete(tenant);
  else if (published.isEndPutOff) putOffs(kernel).set(tenant, now);
  return published;
}

const firstOf = ({ number, events }: EventsRow): number => number - events + 1;

/** The first of the rows, not too many events. */
function fewOf(rows: readonly EventsRow[]): readonly EventsRow[] {
  let events = 0;
  const over = rows.findIndex((row, index) => (events += row.events) > MOST_AT_ONCE && index > 0);
  return over === -1 ? rows : rows.slice(0, over);
}

/**
 * Numbers after the head that Redis lacks: another node has committed and not yet told them, or died, or Redis came
 * back with older data. They all lie in the outbox, unless Redis was behind for longer than the outbox remembers.
 * Says how far the log now goes.
 */
export async function fillGap(kernel: Kernel, tenant: Tenant, head: number, upTo?: EventsRow): Promise<number> {
  const rows: EventsRow[] = await kernel
    .mysql('kernel_outbox')
    .where('tenant', tenant)
    .where('number', '>', head)
    .modify((query) => void (upTo && query.where('number', '<=', upTo.number)))
    .orderBy('number')
    .limit(MOST_AT_ONCE)
    .select(...EVENTS_ROW);
  const missing = rows.length === 0 && upTo ? [upTo] : fewOf(rows);
  const first = missing[0];
  if (!first) return head;
  // Nothing can bring those back. The jump shows: whoever stands before it is told to start anew.
  if (firstOf(first) > head + 1) await begin(kernel, tenant, firstOf(first) - 1);
  const published = await publish(kernel, tenant, missing);
  return published.state === 'unknown' ? head : published.head;
}

/** For a Redis that knows nothing of this log: it goes on before the first event that was never told. */
async function lastTold(kernel: Kernel, tenant: Tenant): Promise<number> {
  const [untold] = (await kernel
    .mysql('kernel_outbox')
    .where({ tenant })
    .whereIn('is_replayable', [false, true])
    .whereNull('carried_at')
    .select(kernel.mysql.raw('MIN(number - events) AS before_first'))) as [{ before_first: number | null }];
  if (untold.before_first !== null) return untold.before_first;
  const counter = (await kernel.mysql('kernel_counters').where({ tenant }).first('event_number')) as
    | { event_number: number }
    | undefined;
  return counter?.event_number ?? 0;
}
