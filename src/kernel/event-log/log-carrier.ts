/** Carries numbered outbox rows into their tenants' logs, first filling in whatever numbers Redis is missing. */
import type { Tenant } from '../actor/address';
import { groupBy } from '../group';
import type { Kernel } from '../kernel';
import type { Carrier, Delivery } from '../mysql/outbox';
import { eventLog, type NumberedEvent } from './event-log';

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
        [...tenants].map(([tenant, events]) => {
          const numbered = events.map(({ number, body }) => ({ number: number!, body }));
          return publishInOrder(
            kernel,
            tenant,
            numbered.sort((a, b) => a.number - b.number),
          );
        }),
      );
    },
  };
}

async function publishInOrder(kernel: Kernel, tenant: Tenant, events: readonly NumberedEvent[]): Promise<void> {
  const log = eventLog.at(kernel, tenant);
  for (let start = 0; start < events.length; start += MOST_AT_ONCE) {
    const batch = events.slice(start, start + MOST_AT_ONCE);
    const publish = () => log.ask('publish', { tenant, windowMs: kernel.settings.eventLogWindowMs, events: batch });
    let published = await publish();
    while (published.state !== 'done') {
      if (published.state === 'unknown') await log.ask('begin', await lastTold(kernel, tenant));
      else await fillGap(kernel, tenant, published.head);
      published = await publish();
    }
  }
}

/**
 * Numbers after the head that Redis lacks: another node has committed and not yet told them, or died, or Redis came
 * back with older data. They all lie in the outbox, unless Redis was behind for longer than the outbox remembers.
 * Says how far the log now goes.
 */
export async function fillGap(kernel: Kernel, tenant: Tenant, head: number): Promise<number> {
  const missing: NumberedEvent[] = await kernel
    .mysql('kernel_outbox')
    .where('tenant', tenant)
    .where('number', '>', head)
    .orderBy('number')
    .limit(MOST_AT_ONCE)
    .select('number', 'body');
  const first = missing[0];
  const log = eventLog.at(kernel, tenant);
  // Nothing can bring those back. The jump shows: whoever stands before it is told to start anew.
  if (first && first.number > head + 1) await log.ask('begin', first.number - 1);
  const published = await log.ask('publish', { tenant, windowMs: kernel.settings.eventLogWindowMs, events: missing });
  return published.state === 'unknown' ? head : published.head;
}

/** For a Redis that knows nothing of this log: it goes on before the first event that was never told. */
async function lastTold(kernel: Kernel, tenant: Tenant): Promise<number> {
  const untold = (await kernel
    .mysql('kernel_outbox')
    .where({ tenant })
    .whereNotNull('number')
    .whereNull('carried_at')
    .orderBy('number')
    .first('number')) as { number: number } | undefined;
  if (untold) return untold.number - 1;
  const counter = (await kernel.mysql('kernel_counters').where({ tenant }).first('event_number')) as
    | { event_number: number }
    | undefined;
  return counter?.event_number ?? 0;
}
