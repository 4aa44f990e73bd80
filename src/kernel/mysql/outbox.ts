/** The outbox: rows written with the change itself, published after the commit, and swept up if their writer died. */
import { groupBy } from '../group';
import { newId } from '../id';
import type { Sweep } from '../jobs/sweeper';
import type { Log } from '../log';
import type { KernelSettings } from '../settings';
import type { Knex } from 'knex';
import type { Database } from './pool';
import { retryDeadlocks } from './retry-deadlocks';
import { uncounted } from './round-trips';
import { ago, fromNow } from './sql-parts';
import { EVENTS_ROW, type EventsRow } from '../event-log/codec';
import type { Tenant } from '../actor/address';

/** Something to publish once the transaction has committed. */
export interface Delivery {
  /** The name of its publisher, as the column is called. */
  readonly publisher: string;
  readonly tenant: Tenant;
  readonly body: string;
  /** Whether clients may ask for it again long after it was published. */
  readonly isReplayable?: boolean;
}

export interface OutboxRow extends Delivery, Partial<Pick<EventsRow, 'events' | 'first_record'>> {
  readonly id: number;
  /** Its position in the tenant's order, for several events that of the last; null if its publisher keeps no order. */
  readonly number: number | null;
}

/** Publishes rows. It may get a row twice: publishing again must change nothing. */
export interface OutboxPublisher {
  readonly name: string;
  publish(rows: readonly OutboxRow[]): Promise<void>;
}

export interface Outbox {
  register(publisher: OutboxPublisher): void;
  /**
   * Calls back with every row that this process publishes: its own before their writer is answered, others when it
   * sweeps. `look` must not throw.
   */
  watch(look: (row: OutboxRow) => void): void;
  /** Publishes rows that were just committed. Never throws: failures are swept up later. */
  publish(rows: readonly OutboxRow[]): Promise<void>;
  /** Publishes abandoned rows of any process. Returns how many it found. */
  sweep(): Promise<number>;
  /** Looks for such rows. */
  readonly sweeping: Sweep;
  /** Waits for current publishing, and marks the rows. */
  settle(): Promise<void>;
}

const MAX_CLAIMED = 100;
/** Limit of one sweep: after an outage, the next sweeps catch up. */
const MAX_BATCHES = 10;
const MARK_AFTER_MS = 100;
/** Matches every row, but lets the index be used. */
const EITHER = [false, true];

export function openOutbox(
  db: Database,
  settings: Pick<KernelSettings, 'sweepAfterMs' | 'sweepClaimMs' | 'sweepIntervalMs'>,
  log: Log,
): Outbox {
  const publishers = new Map<string, OutboxPublisher>();
  const watching: ((row: OutboxRow) => void)[] = [];
  const publishing = new Set<Promise<void>>();
  let published: number[] = [];
  let marking: NodeJS.Timeout | undefined;
  let failures = 0;

  /** Marks published rows in batches. Marks only save the sweeper work: a lost mark costs a repeated publication. */
  async function mark(): Promise<void> {
    clearTimeout(marking);
    marking = undefined;
    // A row that was also swept is in the list twice.
    const ids = [...new Set(published)].sort((a, b) => a - b);
    published = [];
    if (ids.length === 0) return;
    const now = db.raw('NOW(3)');
    try {
      await retryDeadlocks(async () => db('kernel_outbox').whereIn('id', ids).update({ published_at: now }));
    } catch (error) {
      log.warn({ error, rows: ids.length }, 'could not mark outbox rows as published');
    }
  }

  function markSoon(): void {
    marking ??= setTimeout(() => {
      // So that settle() waits for it too.
      const work = mark();
      publishing.add(work);
      void work.finally(() => publishing.delete(work));
    }, MARK_AFTER_MS);
  }

  async function publishGroup(publisher: string, rows: readonly OutboxRow[]): Promise<void> {
    try {
      const found = publishers.get(publisher);
      // A process that does not serve this product leaves the row for one that does.
      if (!found) return;
      await found.publish(rows);
      for (const { id } of rows) published.push(id);
      markSoon();
    } catch (error) {
      failures += 1;
      log.warn({ error, publisher, rows: rows.length }, 'could not publish outbox rows; the sweeper will');
    }
  }

  async function publish(rows: readonly OutboxRow[]): Promise<void> {
    for (const look of watching) for (const row of rows) look(row);
    const groups = groupBy(rows, (row) => row.publisher);
    const work = Promise.all([...groups].map(([publisher, group]) => publishGroup(publisher, group))).then(() => {});
    publishing.add(work);
    await work;
    publishing.delete(work);
  }

  const abandoned = (): Knex.QueryBuilder =>
    db('kernel_outbox')
      .whereIn('is_replayable', EITHER)
      .whereNull('published_at')
      .where('created_at', '<', ago(db, settings.sweepAfterMs))
      .where((free) => void free.whereNull('claimed_until').orWhere('claimed_until', '<', db.raw('NOW(3)')))
      .whereIn('publisher', [...publishers.keys()]);

  async function sweep(): Promise<number> {
    const claim = newId();
    // The claim is its own statement, and nothing is published inside a transaction.
    const claimed = await abandoned()
      .orderBy('id')
      .limit(MAX_CLAIMED)
      .update({
        claimed_by: claim,
        claimed_until: fromNow(db, settings.sweepClaimMs),
      });
    if (claimed === 0) return 0;
    const rows: OutboxRow[] = await db('kernel_outbox')
      .where('claimed_by', claim)
      .orderBy('id')
      .select('id', 'publisher', 'tenant', ...EVENTS_ROW);
    log.info({ rows: rows.length }, 'sweeping abandoned outbox rows');
    await publish(rows);
    return rows.length;
  }

  return {
    register: (publisher) => void publishers.set(publisher.name, publisher),
    watch: (look) => void watching.push(look),
    publish: (rows) => uncounted(() => publish(rows)),
    sweep,
    sweeping: {
      // Processes that count rows as abandoned at different ages do not take each other's turns.
      name: `outbox ${settings.sweepAfterMs}`,
      everyMs: settings.sweepIntervalMs,
      find: () => [abandoned().limit(1).select({ address: 'id', tenant: 'tenant' })],
      async found() {
        const before = failures;
        for (let batch = 0; batch < MAX_BATCHES && failures === before; batch += 1) {
          if ((await sweep()) < MAX_CLAIMED) return;
        }
      },
    },
    async settle() {
      while (publishing.size > 0) await Promise.all(publishing);
      await mark();
    },
  };
}
