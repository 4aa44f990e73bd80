/** Where a follower reads what it missed: the log in Redis, or the outbox, which is right even without Redis. */
import { redisKey, type Tenant } from '../actor/address';
import type { Kernel } from '../kernel';
import { EVENTS_ROW, eventsIn, type EventsRow } from '../mysql/outbox-rows';
import { eventLog, rowOfText, type NumberedEvent } from './event-log';
import type { LogSource } from './follower';

const PAGE = 500;
/** Each may hold the events of many who sent together. */
const ROWS_A_PAGE = 100;

/** Recent events only, and quick; after an outage it may lack some. */
export function logInRedis(kernel: Kernel, tenant: Tenant): LogSource {
  const key = redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' });
  return {
    head: async () => Number((await kernel.redis.commands.get(key)) ?? 0),
    async after(number) {
      const entries = await kernel.redis.commands.xrange(`${key}:rows`, number + 1, '+', 'COUNT', ROWS_A_PAGE);
      // An entry is under the number of the last of its events; the first ones may not be asked for.
      return eventsIn(entries.map(([, fields]) => rowOfText(fields[1]!))).filter((event) => event.number > number);
    },
  };
}

/** For replayable events: every one that was committed, for as long as they are kept. */
export function logInOutbox(kernel: Kernel, tenant: Tenant): LogSource {
  return {
    head: async () => (await headsInOutbox(kernel, [tenant])).get(tenant) ?? 0,
    after: (number) => readOutbox(kernel, tenant, number, PAGE),
  };
}

export interface KeptEvent extends NumberedEvent {
  readonly at: Date;
}

/** A tenant's committed events after the number, oldest first. Numbers have no gaps but where rows were forgotten. */
// oxlint-disable-next-line max-params -- whose, from where, how many
export async function readOutbox(kernel: Kernel, tenant: Tenant, after: number, most: number): Promise<KeptEvent[]> {
  const rows: (EventsRow & { at: Date })[] = await kernel
    .mysql('kernel_outbox')
    .where('tenant', tenant)
    .where('number', '>', after)
    .orderBy('number')
    .limit(most)
    .select(...EVENTS_ROW, { at: 'created_at' });
  const events = rows.flatMap((row) => eventsIn([row]).map((event) => ({ ...event, at: row.at })));
  return events.filter(({ number }) => number > after).slice(0, most);
}

/** How far each log goes, by the counters that number it. */
export async function headsInOutbox(kernel: Kernel, tenants: readonly Tenant[]): Promise<Map<Tenant, number>> {
  const rows: { tenant: Tenant; head: number }[] = await kernel
    .mysql('kernel_counters')
    .whereIn('tenant', tenants)
    .select('tenant', { head: 'event_number' });
  return new Map(rows.map(({ tenant, head }) => [tenant, head]));
}
