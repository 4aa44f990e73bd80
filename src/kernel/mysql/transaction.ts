/**
 * The only way to change rows and publish the change. Deliveries are written in the transaction itself, numbered in
 * commit order, and published after the commit. A deadlock repeats everything, so the work must be repeatable.
 */
import type { Knex } from 'knex';
import { groupBy } from '../group';
import type { Waker, WakeOrder } from '../jobs/job';
import type { Pause } from '../pause';
import type { Statement, Writes } from './commit-statements';
import { rawOf } from './direct';
import { formatStatement } from './literal';
import type { Delivery, Outbox, OutboxRow } from './outbox';
import { CommitUnknown, isUnreachable } from './outcome';
import type { PacketReply, TextPacket } from './packet';
import type { Database } from './pool';
import { retryDeadlocks } from './retry-deadlocks';

export interface Tx extends Writes {
  readonly db: Knex.Transaction;
  /** Publishes something once this has committed; nothing can be published without a commit. */
  deliver(delivery: Delivery): void;
  /** Runs a packet's statements with the commit, before the deliveries. `then` gets its value after the commit. */
  writePacket<T>(packet: TextPacket<T>, then?: (value: T) => void): void;
}

/** A packet among the last statements of a transaction. */
interface Enclosed {
  /** Where its first statement is. */
  readonly at: number;
  readonly size: number;
  /** Returns the outbox rows that it wrote, and what is to be called after the commit. */
  read(replies: readonly PacketReply[]): { readonly rows: readonly OutboxRow[]; readonly after: () => void };
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface AfterCommit {
  readonly outbox: Outbox;
  readonly jobs: Waker;
}

interface Attempted<T> {
  readonly value: T;
  readonly committed: Committed;
  readonly wakes: readonly WakeOrder[];
}

interface Committed {
  readonly rows: readonly OutboxRow[];
  readonly afters: readonly (() => void)[];
}

const NOTHING: Committed = { rows: [], afters: [] };

export function openTransactions(db: Database, { outbox, jobs }: AfterCommit, pause: Pause): Transact {
  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<Attempted<T>> {
    const trx = await beginTransaction(db);
    const last: Statement[] = [];
    const packets: Enclosed[] = [];
    const deliveries: Delivery[] = [];
    const wakes: WakeOrder[] = [];
    try {
      const value = await work({
        db: trx,
        writeLast: (statement) => void last.push(statement),
        deliver: (delivery) => void deliveries.push(delivery),
        wake: (...orders) => void wakes.push(...orders),
        writePacket: (packet, then) => void packets.push(enclose(last, packet, then)),
      });
      await pause('before-commit');
      return { value, committed: await commit(trx, closingPacket(last, packets, deliveries)), wakes };
    } catch (error) {
      // The connection may be gone; then the server rolls back by itself.
      await trx.rollback().catch(() => {});
      throw error;
    }
  }

  return async (work) => {
    const { value, committed, wakes } = await retryDeadlocks(() => attempt(work));
    const { rows, afters } = committed;
    await pause('after-commit');
    // The caller does not wait for publication.
    if (rows.length > 0) void outbox.publish(rows);
    if (wakes.length > 0) jobs.wake(...wakes);
    for (const after of afters) after();
    return value;
  };
}

function enclose<T>(last: Statement[], packet: TextPacket<T>, then: (value: T) => void = () => {}): Enclosed {
  const at = last.length;
  last.push(...packet.statements.map((sql) => ({ sql, bindings: [] })));
  const read = (replies: readonly PacketReply[]) => {
    const { value, rows } = packet.read(replies);
    return { rows, after: () => then(value) };
  };
  return { at, size: packet.statements.length, read };
}

/** Knex also returns a transaction whose BEGIN failed, and only its promise says why. */
export async function beginTransaction(db: Database): Promise<Knex.Transaction> {
  const trx = await db.transaction();
  if (trx.isCompleted()) await trx.executionPromise;
  return trx;
}

async function commit(trx: Knex.Transaction, packet: ReturnType<typeof closingPacket>): Promise<Committed> {
  try {
    if (!packet) {
      await trx.commit();
      // commit() resolves even if MySQL refused or never answered.
      await trx.executionPromise;
      return NOTHING;
    }
    const [replies] = (await rawOf(trx, packet.sql, packet.bindings)) as [PacketReply[]];
    // The packet has committed; this second COMMIT only returns the connection to the pool.
    trx.commit().catch(() => {});
    return packet.read(replies);
  } catch (error) {
    if (isUnreachable(error)) throw new CommitUnknown(error);
    throw error;
  }
}

/**
 * The last statements of a transaction. Numbers, rows and COMMIT are one packet: the counter is locked only while the
 * server works, never while a node is frozen. So numbers have no gaps and follow the order of commits.
 */
function closingPacket(last: readonly Statement[], packets: readonly Enclosed[], deliveries: readonly Delivery[]) {
  if (last.length === 0 && deliveries.length === 0) return undefined;
  const all: Statement[] = [...last];
  // Always in the same order, so that two packets never deadlock.
  const ordered = [...groupBy(deliveries, ({ tenant }) => tenant)].sort(([a], [b]) => (a < b ? -1 : 1));

  for (const [tenant, group] of ordered) {
    const counting =
      `INSERT INTO kernel_counters (tenant, event_number) VALUES (?, LAST_INSERT_ID(${group.length})) ` +
      `ON DUPLICATE KEY UPDATE event_number = LAST_INSERT_ID(event_number + ${group.length})`;
    all.push({ sql: counting, bindings: [tenant] });
    all.push({ sql: `SET @first = LAST_INSERT_ID() - ${group.length - 1}`, bindings: [] });
    const values = group.map(
      ({ isReplayable }, index) => `(?, ?, @first + ${index}, ?, NOW(3), ${isReplayable ? 1 : 0})`,
    );
    all.push({
      sql: `INSERT INTO kernel_outbox (publisher, tenant, number, body, created_at, is_replayable) VALUES ${values.join(', ')}`,
      bindings: group.flatMap(({ publisher, body }) => [publisher, tenant, body]),
    });
    all.push({ sql: 'SELECT @first AS first, @@auto_increment_increment AS step', bindings: [] });
  }
  all.push({ sql: 'COMMIT', bindings: [] });

  function delivered(replies: readonly PacketReply[]): OutboxRow[] {
    return ordered.flatMap(([, group], index) => {
      // Four statements per group: counter, variable, rows, numbers.
      const counter = last.length + index * 4;
      const { insertId } = replies[counter + 2] as { insertId: number };
      const [{ first, step }] = replies[counter + 3] as [{ first: number; step: number }];
      return group.map((delivery, place) => ({ ...delivery, id: insertId + place * step, number: first + place }));
    });
  }

  function read(replies: readonly PacketReply[]): Committed {
    const enclosed = packets.map((packet) => packet.read(replies.slice(packet.at, packet.at + packet.size)));
    return {
      rows: [...enclosed.flatMap(({ rows }) => rows), ...delivered(replies)],
      afters: enclosed.map(({ after }) => after),
    };
  }

  return { ...together(all, packets.length > 0), read };
}

/** The text of packets may contain question marks, which are no placeholders: then no bindings are left for the driver. */
function together(all: readonly Statement[], isText: boolean): Statement {
  if (!isText) return { sql: all.map(({ sql }) => sql).join('; '), bindings: all.flatMap(({ bindings }) => bindings) };
  const texts = all.map(({ sql, bindings }) => formatStatement(sql, bindings as Parameters<typeof formatStatement>[1]));
  return { sql: texts.join('; '), bindings: [] };
}
