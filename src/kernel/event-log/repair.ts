/** After an outage, Redis' logs may lack rows of the outbox: compares the numbers and publishes what is missing. */
import { redisKey, type Tenant } from '../actor/address';
import type { Log } from '../log';
import type { Database } from '../mysql/pool';
import type { Keyspace } from '../redis/connections';
import { eventLog } from './event-log';
import { LOG_PUBLISHER, type LogPublisher } from './log-publisher';

/** Out of tens of thousands of tenants: a slow process sends and reads this many commands in some milliseconds. */
const AT_ONCE = 500;

interface Parts extends Keyspace {
  readonly mysql: Database;
  readonly log: Log;
}

export async function repairLogs(parts: Parts, publisher: LogPublisher): Promise<void> {
  publisher.forgetExpiries();
  // Uses only the index, then reads one row per tenant, because socket events are numbered too.
  const ends = parts
    .mysql('kernel_outbox')
    .whereNotNull('number')
    .groupBy('tenant')
    .select('tenant', parts.mysql.raw('MAX(number) AS newest'))
    .as('ends');
  const logs: { tenant: Tenant; newest: number }[] = await parts
    .mysql(ends)
    .join({ last: 'kernel_outbox' }, { 'last.tenant': 'ends.tenant', 'last.number': 'ends.newest' })
    .where('last.publisher', LOG_PUBLISHER)
    .select('ends.tenant', 'ends.newest');
  if (logs.length === 0) return;
  const { commands } = parts.redis;
  const headOf = ({ tenant }: { tenant: Tenant }) =>
    commands.get(redisKey(parts.namespace, eventLog.at(tenant).address));
  const heads: (string | null)[] = [];
  // Not in one pipeline: tenants may be on several servers. Not all at once: the last would time out.
  for (let done = 0; done < logs.length; done += AT_ONCE) {
    heads.push(...(await Promise.all(logs.slice(done, done + AT_ONCE).map(headOf))));
  }

  for (const [index, { tenant, newest }] of logs.entries()) {
    const written = heads[index] ?? null;
    // A log that Redis does not know begins with its next event: no queue can be waiting for older ones.
    if (written === null) continue;
    for (let head = Number(written), before = -1; head < newest && head > before;) {
      before = head;
      head = await publisher.fillGap(tenant, head);
    }
    if (Number(written) < newest)
      parts.log.warn({ tenant, from: Number(written), to: newest }, 'repaired an event log');
  }
}
