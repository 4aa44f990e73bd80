/** Sources of a follower: the log in Redis, or socket events with the outbox, which is complete even without Redis. */
import { redisKey, type Tenant } from '../actor/address';
import type { Kernel } from '../kernel';
import type { Log } from '../log';
import type { Database } from '../mysql/pool';
import type { Keyspace } from '../redis/connections';
import { isCluster } from '../redis/cluster';
import { decodeEvents, decodePush, decodeRow, EVENTS_ROW, type EventsRow, type NumberedEvent } from './codec';
import { eventChannel, eventLog } from './event-log';
import type { LogPage, LogSource } from './follower';

type Parts = Pick<Kernel, 'log' | 'mysql'>;

const PAGE = 500;
/** A row may hold the events of many senders. */
const ROWS_A_PAGE = 100;

/** The last position beside a tenant's log that Redis knows; 0 if none. */
export async function lastBeside(kernel: Keyspace, tenant: Tenant): Promise<number> {
  return Number((await kernel.redis.commands.get(`${logKey(kernel, tenant)}:beside`)) ?? 0);
}

const logKey = ({ namespace }: Keyspace, tenant: Tenant): string =>
  redisKey(namespace, { tenant, kind: eventLog.kind, id: '' });

/** The numbers of the last events in Redis. At one server, all are read at once. */
export async function headsInRedis(kernel: Keyspace, tenants: readonly Tenant[]): Promise<number[]> {
  const { commands } = kernel.redis;
  const keys = tenants.map((tenant) => logKey(kernel, tenant));
  const heads = isCluster(commands)
    ? await Promise.all(keys.map((key) => commands.get(key)))
    : await commands.mget(keys);
  return heads.map((head) => Number(head ?? 0));
}

/** Recent events only, but fast; after an outage some may be missing. */
export function logInRedis(kernel: Keyspace & Pick<Kernel, 'channel' | 'log'>, tenant: Tenant): LogSource {
  const key = logKey(kernel, tenant);
  return {
    listen: ({ receive, resumed }) =>
      kernel.channel.listen(eventChannel(tenant), { receive: (message) => receive(decodePush(message)), resumed }),
    head: async () => (await headsInRedis(kernel, [tenant]))[0]!,
    async after(number) {
      const entries = await kernel.redis.commands.xrange(`${key}:rows`, number + 1, '+', 'COUNT', ROWS_A_PAGE);
      const events: NumberedEvent[] = [];
      let upTo = number;
      for (const [id, fields] of entries) {
        // An entry's id is the number of its last event; its first events may be before the requested range.
        upTo = Number.parseInt(id, 10);
        const row = decodeRow(fields[1]!);
        const found = row && decodeEvents(row);
        if (found) events.push(...found.filter((event) => event.number > number));
        else noteSkipped(kernel.log, tenant, upTo);
      }
      return { events, upTo };
    },
  };
}

/** For socket events: every committed event, for as long as they are kept. */
export function logInOutbox(kernel: Pick<Kernel, 'log' | 'mysql' | 'socketEvents'>, tenant: Tenant): LogSource {
  return {
    listen: ({ receive }) => Promise.resolve(kernel.socketEvents.follow(tenant, receive)),
    head: async () => (await headsInOutbox(kernel.mysql, [tenant])).get(tenant) ?? 0,
    after: (number) => readPage(kernel, tenant, number, PAGE),
  };
}

export interface KeptEvent extends NumberedEvent {
  readonly at: Date;
}

/** A later release wrote them. Clients that need them start over, as after any jump in a log. */
function noteSkipped(log: Log, tenant: Tenant, number: number): void {
  log.warn({ tenant, number }, 'skipped events of a version unknown to this release');
}

/** A tenant's committed events after the number, oldest first. Numbers have gaps only where rows were deleted. */
// oxlint-disable-next-line max-params -- the tenant, the start and the limit
export async function readOutbox(kernel: Parts, tenant: Tenant, after: number, most: number): Promise<KeptEvent[]> {
  return (await readPage(kernel, tenant, after, most)).events;
}

// oxlint-disable-next-line max-params -- as above
async function readPage(
  kernel: Parts,
  tenant: Tenant,
  after: number,
  most: number,
): Promise<LogPage & { readonly events: KeptEvent[] }> {
  const rows: (EventsRow & { at: Date })[] = await kernel
    .mysql('kernel_outbox')
    .where('tenant', tenant)
    .where('number', '>', after)
    .orderBy('number')
    .limit(most)
    .select(...EVENTS_ROW, { at: 'created_at' });
  const events: KeptEvent[] = [];
  for (const row of rows) {
    const found = decodeEvents(row);
    if (!found) noteSkipped(kernel.log, tenant, row.number);
    for (const event of found ?? []) if (event.number > after) events.push({ ...event, at: row.at });
  }
  const isCut = events.length > most;
  const kept = isCut ? events.slice(0, most) : events;
  return { events: kept, upTo: isCut ? kept.at(-1)!.number : (rows.at(-1)?.number ?? after) };
}

/** How far each log reaches, by the counters that number it. */
export async function headsInOutbox(db: Database, tenants: readonly Tenant[]): Promise<Map<Tenant, number>> {
  const rows: { tenant: Tenant; head: number }[] = await db('kernel_counters')
    .whereIn('tenant', tenants)
    .select('tenant', { head: 'event_number' });
  return new Map(rows.map(({ tenant, head }) => [tenant, head]));
}
