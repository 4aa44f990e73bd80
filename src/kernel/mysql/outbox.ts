/** What is to be published: rows written with the change itself, published after the commit, swept up if their writer died. */
import { groupBy } from '../group';
import { newId } from '../id';
import type { Log } from '../log';
import type { Database } from './pool';
import { retryDeadlocks } from './retry-deadlocks';
import { EVENTS_ROW, type EventsRow } from '../event-log/codec';
import type { Tenant } from '../actor/address';

/** Something to tell once the transaction has committed. */
export interface Delivery {
  readonly carrier: string;
  readonly tenant: Tenant;
  readonly body: string;
  /** Whether clients may ask for it again long after it was told. */
  readonly isReplayable?: boolean;
}

export interface OutboxRow extends Delivery, Partial<Pick<EventsRow, 'events' | 'first_record'>> {
  readonly id: number;
  /** Its place in the tenant's order, of several events that of the last; null where its publisher keeps none. */
  readonly number: number | null;
}

/** Takes rows to where they are told. It may be given a row twice: telling again must change nothing. */
export interface OutboxPublisher {
  readonly name: string;
  /** Whether its rows take a number in their tenant's order. */
  readonly numbered: boolean;
  carry(rows: readonly OutboxRow[]): Promise<void>;
}

export interface Outbox {
  register(publisher: OutboxPublisher): void;
  isNumbered(carrier: string): boolean;
  /** Shows every row that this process has committed, before whoever committed it is answered. */
  watch(look: (row: OutboxRow) => void): void;
  /** Carries rows that just committed. Never throws: what fails is swept up later. */
  carry(rows: readonly OutboxRow[]): Promise<void>;
  /** Carries abandoned rows of any process. Says how many it found. */
  sweep(): Promise<number>;
  /** Waits for what is being published and marks it. */
  settle(): Promise<void>;
}

export interface SweepSettings {
  readonly sweepAfterMs: number;
  readonly sweepClaimMs: number;
}

const MOST_CLAIMED = 100;
const MARK_AFTER_MS = 100;
const MICROSECONDS = 1000;
/** Says nothing of the rows, and lets the index be used. */
const EITHER = [false, true];

export function openOutbox(db: Database, settings: SweepSettings, log: Log): Outbox {
  const publishers = new Map<string, OutboxPublisher>();
  const watching: ((row: OutboxRow) => void)[] = [];
  const carrying = new Set<Promise<void>>();
  let published: number[] = [];
  let marking: NodeJS.Timeout | undefined;

  /** Marks are written together: they only spare the sweeper work, so a lost one costs a repeated telling. */
  async function mark(): Promise<void> {
    clearTimeout(marking);
    marking = undefined;
    // One that was swept as well is there twice.
    const ids = [...new Set(published)].sort((a, b) => a - b);
    published = [];
    if (ids.length === 0) return;
    const now = db.raw('NOW(3)');
    try {
      await retryDeadlocks(async () => db('kernel_outbox').whereIn('id', ids).update({ carried_at: now }));
    } catch (error) {
      log.warn({ error, rows: ids.length }, 'could not mark outbox rows as published');
    }
  }

  function markSoon(): void {
    marking ??= setTimeout(() => {
      // Whoever settles waits for this one too.
      const work = mark();
      carrying.add(work);
      void work.finally(() => carrying.delete(work));
    }, MARK_AFTER_MS);
  }

  async function publishGroup(carrier: string, rows: readonly OutboxRow[]): Promise<void> {
    try {
      const found = publishers.get(carrier);
      // A process that does not serve this product leaves the row for one that does.
      if (!found) return;
      await found.carry(rows);
      for (const { id } of rows) published.push(id);
      markSoon();
    } catch (error) {
      log.warn({ error, carrier, rows: rows.length }, 'could not publish outbox rows; the sweeper will');
    }
  }

  async function carry(rows: readonly OutboxRow[]): Promise<void> {
    for (const look of watching) for (const row of rows) look(row);
    const groups = groupBy(rows, (row) => row.carrier);
    const work = Promise.all([...groups].map(([carrier, group]) => publishGroup(carrier, group))).then(() => {});
    carrying.add(work);
    await work;
    carrying.delete(work);
  }

  async function sweep(): Promise<number> {
    const claim = newId();
    // The claim is its own statement, and nothing is told inside a transaction.
    const claimed = await db('kernel_outbox')
      .whereIn('is_replayable', EITHER)
      .whereNull('carried_at')
      .where('created_at', '<', db.raw('NOW(3) - INTERVAL ? MICROSECOND', [settings.sweepAfterMs * MICROSECONDS]))
      .where((free) => void free.whereNull('claimed_until').orWhere('claimed_until', '<', db.raw('NOW(3)')))
      .whereIn('carrier', [...publishers.keys()])
      .orderBy('id')
      .limit(MOST_CLAIMED)
      .update({
        claimed_by: claim,
        claimed_until: db.raw('NOW(3) + INTERVAL ? MICROSECOND', [settings.sweepClaimMs * MICROSECONDS]),
      });
    if (claimed === 0) return 0;
    const rows: OutboxRow[] = await db('kernel_outbox')
      .where('claimed_by', claim)
      .orderBy('id')
      .select('id', 'carrier', 'tenant', ...EVENTS_ROW);
    log.info({ rows: rows.length }, 'sweeping abandoned outbox rows');
    await carry(rows);
    return rows.length;
  }

  return {
    register: (publisher) => void publishers.set(publisher.name, publisher),
    watch: (look) => void watching.push(look),
    isNumbered: (carrier) => publishers.get(carrier)?.numbered ?? false,
    carry,
    sweep,
    async settle() {
      while (carrying.size > 0) await Promise.all(carrying);
      await mark();
    },
  };
}
