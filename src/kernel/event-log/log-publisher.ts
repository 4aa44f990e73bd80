/** Publishes numbered outbox rows to their tenants' logs, and first fills in any numbers that Redis is missing. */
import type { Tenant } from '../actor/address';
import { Cache } from '../cache/cache';
import { groupBy } from '../group';
import type { OutboxPublisher, Delivery, OutboxRow } from '../mysql/outbox';
import type { Database } from '../mysql/pool';
import type { Pause } from '../pause';
import type { Keyspace } from '../redis/connections';
import type { KernelSettings } from '../settings';
import { EVENTS_ROW, eventsRow, type EventsRow } from './codec';
import { eventLog, type Published } from './event-log';

export const LOG_PUBLISHER = 'log';

/** An event for every follower of the tenant's log. */
export const logEvent = (tenant: Tenant, body: string): Delivery => ({ publisher: LOG_PUBLISHER, tenant, body });

/** A script blocks Redis while it runs; this many events take well under a millisecond. */
const MAX_AT_ONCE = 200;

/** A node that publishes extends the stream's expiry at most this often. */
const EXTEND_MS = 1000;
const LOGS = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: EXTEND_MS };

/** The rows that this process has yet to publish for one tenant, and the current batch. */
interface Pending {
  rows: EventsRow[];
  batch: Promise<void> | undefined;
}

interface Parts extends Keyspace {
  readonly mysql: Database;
  readonly pause: Pause;
  readonly settings: Pick<KernelSettings, 'eventLogWindowMs'>;
}

export class LogPublisher implements OutboxPublisher {
  readonly name = LOG_PUBLISHER;
  readonly #parts: Parts;
  /** Only tenants with something to publish at the moment. */
  readonly #pending = new Map<Tenant, Pending>();
  /** Logs whose expiry this process extended a moment ago. */
  readonly #extended = new Cache<Tenant, true>(LOGS);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The number of tenants with waiting or current rows. */
  get size(): number {
    return this.#pending.size;
  }

  async publish(rows: readonly OutboxRow[]): Promise<void> {
    await this.#parts.pause('before-publish');
    const tenants = groupBy(rows, (row) => row.tenant);
    await Promise.all([...tenants].map(([tenant, own]) => this.#publishTogether(tenant, own.map(eventsRow))));
  }

  /** Redis was unreachable: the expiries of streams may be lost. */
  forgetExpiries(): void {
    this.#extended.clear();
  }

  /**
   * Publishes one batch at a time per tenant; rows that arrive meanwhile go into the next, in order. Otherwise commits
   * that come close together would be published out of order, each finding the other missing.
   */
  async #publishTogether(tenant: Tenant, rows: readonly EventsRow[]): Promise<void> {
    let pending = this.#pending.get(tenant);
    if (!pending) this.#pending.set(tenant, (pending = { rows: [], batch: undefined }));
    pending.rows.push(...rows);
    // Rows that arrive during a batch are published with the next one.
    if (pending.batch) await pending.batch.catch(() => {});
    if (pending.rows.length === 0) return pending.batch ?? undefined;
    const batch = pending.rows.sort((a, b) => a.number - b.number);
    pending.rows = [];
    pending.batch = this.#publishInOrder(tenant, batch).finally(() => {
      if (pending.rows.length === 0) this.#pending.delete(tenant);
    });
    await pending.batch;
  }

  async #publishInOrder(tenant: Tenant, rows: readonly EventsRow[]): Promise<void> {
    for (let left = rows; left.length > 0;) {
      const batch = fewOf(left);
      left = left.slice(batch.length);
      let published = await this.#publish(tenant, batch);
      while (published.state !== 'done') {
        const { head = 0 } = published as { head?: number };
        const next = batch.find(({ number }) => number > head);
        if (published.state === 'unknown') await this.begin(tenant);
        else await this.fillGap(tenant, head, next);
        published = await this.#publish(tenant, batch);
      }
    }
  }

  /** Tells a Redis that does not know this log where it continues. */
  async begin(tenant: Tenant): Promise<void> {
    await this.#continueAfter(tenant, await this.#lastPublished(tenant));
  }

  #continueAfter(tenant: Tenant, number: number): Promise<number> {
    return eventLog.at(tenant).request(this.#parts, 'begin', number);
  }

  /** Resolves when what this process has to publish for the tenant now is published, or has failed. */
  async settled(tenant: Tenant): Promise<void> {
    // The current batch, then the rows that wait for it.
    for (let batches = 0; batches < 2; batches += 1) await this.#pending.get(tenant)?.batch?.catch(() => {});
  }

  async #publish(tenant: Tenant, rows: readonly EventsRow[]): Promise<Published> {
    const isExtended = this.#extended.get(tenant) === true;
    const endsInMs = isExtended ? null : this.#parts.settings.eventLogWindowMs + EXTEND_MS;
    const published = await eventLog.at(tenant).request(this.#parts, 'publish', { tenant, endsInMs, rows });
    // Redis does not have what was published last: it may have lost the expiry too.
    if (published.state !== 'done') this.#extended.delete(tenant);
    else if (published.isEndPutOff) this.#extended.set(tenant, true);
    return published;
  }

  /**
   * Publishes the numbers after the head that Redis lacks: another node has not yet published them, or died, or Redis
   * came back with older data. They are all in the outbox, unless Redis was behind for longer than the outbox keeps
   * rows. Returns how far the log now reaches.
   */
  async fillGap(tenant: Tenant, head: number, upTo?: EventsRow): Promise<number> {
    const rows: EventsRow[] = await this.#parts
      .mysql('kernel_outbox')
      .where('tenant', tenant)
      .where('number', '>', head)
      .modify((query) => void (upTo && query.where('number', '<=', upTo.number)))
      .orderBy('number')
      .limit(MAX_AT_ONCE)
      .select(...EVENTS_ROW);
    const missing = rows.length === 0 && upTo ? [upTo] : fewOf(rows);
    const first = missing[0];
    if (!first) return head;
    // Lost numbers cannot be restored. The jump is visible: a queue before it is told to start over.
    if (firstOf(first) > head + 1) await this.#continueAfter(tenant, firstOf(first) - 1);
    const published = await this.#publish(tenant, missing);
    return published.state === 'unknown' ? head : published.head;
  }

  /** For a Redis that does not know this log: it continues before the first event that was never published. */
  async #lastPublished(tenant: Tenant): Promise<number> {
    const { mysql } = this.#parts;
    const [pending] = (await mysql('kernel_outbox')
      .where({ tenant })
      .whereIn('is_replayable', [false, true])
      .whereNull('published_at')
      .select(mysql.raw('MIN(number - events) AS before_first'))) as [{ before_first: number | null }];
    if (pending.before_first !== null) return pending.before_first;
    const counter = (await mysql('kernel_counters').where({ tenant }).first('event_number')) as
      | { event_number: number }
      | undefined;
    return counter?.event_number ?? 0;
  }
}

const firstOf = ({ number, events }: EventsRow): number => number - events + 1;

/** The first rows, up to the limit of events. */
function fewOf(rows: readonly EventsRow[]): readonly EventsRow[] {
  let events = 0;
  const over = rows.findIndex((row, index) => (events += row.events) > MAX_AT_ONCE && index > 0);
  return over === -1 ? rows : rows.slice(0, over);
}
