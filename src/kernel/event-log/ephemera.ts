/**
 * Events beside a tenant's log: pushed to every node that follows it, in order with its numbered events, and stored
 * nowhere. They cost no commit, and a crash or an outage of Redis loses them.
 */
import type { Tenant } from '../actor/address';
import type { Log } from '../log';
import type { Transact } from '../mysql/transaction';
import type { Keyspace } from '../redis/connections';
import { eventLog } from './event-log';
import { logEvent, type LogPublisher } from './log-publisher';

interface Parts extends Keyspace {
  readonly log: Log;
  readonly transaction: Transact;
}

export class Ephemera {
  readonly #parts: Parts;
  readonly #publisher: LogPublisher;

  constructor(parts: Parts, publisher: LogPublisher) {
    this.#parts = parts;
    this.#publisher = publisher;
  }

  /** Tells a Redis that does not know the tenant's log where it continues. */
  begin(tenant: Tenant): Promise<void> {
    return this.#publisher.begin(tenant);
  }

  /**
   * Pushes the event after everything that this process has committed for the tenant, at a position above `after`. If
   * there is no room before the next number, which is rare, the event is committed and gets that number.
   */
  async push(tenant: Tenant, body: string, after = 0): Promise<void> {
    await this.#publisher.settled(tenant);
    const push = () => eventLog.at(tenant).request(this.#parts, 'push', { tenant, body, after });
    try {
      let pushed = await push();
      if (pushed === 'unknown') {
        await this.begin(tenant);
        pushed = await push();
      }
      if (pushed !== 'pushed')
        await this.#parts.transaction((tx) => Promise.resolve(tx.deliver(logEvent(tenant, body))));
    } catch (error) {
      this.#parts.log.debug({ error, tenant }, 'lost an event beside the log');
    }
  }
}
