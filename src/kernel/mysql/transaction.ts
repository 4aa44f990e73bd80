/**
 * The only way to change rows and publish the change. Deliveries are written in the transaction itself, numbered in
 * commit order, and published after the commit. A deadlock repeats everything, so the work must be repeatable.
 */
import type { Knex } from 'knex';
import { groupBy } from '../group';
import type { Waker, WakeOrder } from '../jobs/job';
import type { Pause } from '../pause';
import type { Statement, Writes } from './commit-statements';
import type { Delivery, Outbox, OutboxRow } from './outbox';
import { CommitUnknown, isUnreachable } from './outcome';
import type { PacketReply } from './packet';
import type { Database } from './pool';
import { retryDeadlocks } from './retry-deadlocks';

export interface Tx extends Writes {
  readonly db: Knex.Transaction;
  /** Publishes something once this has committed; nothing can be published without a commit. */
  deliver(delivery: Delivery): void;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface AfterCommit {
  readonly outbox: Outbox;
  readonly jobs: Waker;
}

interface Attempted<T> {
  readonly value: T;
  readonly rows: OutboxRow[];
  readonly wakes: readonly WakeOrder[];
}

export function openTransactions(db: Database, { outbox, jobs }: AfterCommit, pause: Pause): Transact {
  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<Attempted<T>> {
    const trx = await beginTransaction(db);
    const last: Statement[] = [];
    const deliveries: Delivery[] = [];
    const wakes: WakeOrder[] = [];
    try {
      const value = await work({
        db: trx,
        writeLast: (statement) => void last.push(statement),
        deliver: (delivery) => void deliveries.push(delivery),
        wake: (...orders) => void wakes.push(...orders),
      });
      await pause('before-commit');
      return { value, rows: await commit(trx, closingPacket(last, deliveries)), wakes };
    } catch (error) {
      // The connection may be gone; then the server rolls back by itself.
      await trx.rollback().catch(() => {});
      throw error;
    }
  }

  return async (work) => {
    const { value, rows, wakes } = await retryDeadlocks(() => attempt(work));
    await pause('after-commit');
    // The caller does not wait for publication.
    if (rows.length > 0) void outbox.publish(rows);
    if (wakes.length > 0) jobs.wake(...wakes);
    return value;
  };
}

/** Knex also returns a transaction whose BEGIN failed, and only its promise says why. */
export async function beginTransaction(db: Database): Promise<Knex.Transaction> {
  const trx = await db.transaction();
  if (trx.isCompleted()) await trx.executionPromise;
  return trx;
}

async function commit(trx: Knex.Transaction, packet: ReturnType<typeof closingPacket>): Promise<OutboxRow[]> {
  try {
    if (!packet) {
      await trx.commit();
      // commit() resolves even if MySQL refused or never answered.
      await trx.executionPromise;
      return [];
    }
    const [replies] = (await trx.raw(packet.sql, packet.bindings)) as [PacketReply[]];
    // The packet has committed; this second COMMIT only returns the connection to the pool.
    trx.commit().catch(() => {});
    return packet.rows(replies);
  } catch (error) {
    if (isUnreachable(error)) throw new CommitUnknown(error);
    throw error;
  }
}

/**
 * The last statements of a transaction. Numbers, rows and COMMIT are one packet: the counter is locked only while the
 * server works, never while a node is frozen. So numbers have no gaps and follow the order of commits.
 */
function closingPacket(last: readonly Statement[], deliveries: readonly Delivery[]) {
  if (last.length === 0 && deliveries.length === 0) return undefined;
  const statements = last.map(({ sql }) => sql);
  const bindings = last.flatMap((statement) => statement.bindings) as Knex.RawBinding[];
  // Always in the same order, so that two packets never deadlock.
  const ordered = [...groupBy(deliveries, ({ tenant }) => tenant)].sort(([a], [b]) => (a < b ? -1 : 1));

  for (const [tenant, group] of ordered) {
    statements.push(
      `INSERT INTO kernel_counters (tenant, event_number) VALUES (?, LAST_INSERT_ID(${group.length})) ` +
        `ON DUPLICATE KEY UPDATE event_number = LAST_INSERT_ID(event_number + ${group.length})`,
      `SET @first = LAST_INSERT_ID() - ${group.length - 1}`,
    );
    bindings.push(tenant);
    const values = group.map(
      ({ isReplayable }, index) => `(?, ?, @first + ${index}, ?, NOW(3), ${isReplayable ? 1 : 0})`,
    );
    statements.push(
      `INSERT INTO kernel_outbox (publisher, tenant, number, body, created_at, is_replayable) VALUES ${values.join(', ')}`,
    );
    for (const { publisher, body } of group) bindings.push(publisher, tenant, body);
    statements.push('SELECT @first AS first, @@auto_increment_increment AS step');
  }
  statements.push('COMMIT');

  function rows(replies: readonly PacketReply[]): OutboxRow[] {
    return ordered.flatMap(([, group], index) => {
      // Four statements per group: counter, variable, rows, numbers.
      const counter = last.length + index * 4;
      const { insertId } = replies[counter + 2] as { insertId: number };
      const [{ first, step }] = replies[counter + 3] as [{ first: number; step: number }];
      return group.map((delivery, place) => ({ ...delivery, id: insertId + place * step, number: first + place }));
    });
  }

  return { sql: statements.join('; '), bindings, rows };
}
