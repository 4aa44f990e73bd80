/** Several statements in one round trip, for paths where each round trip counts. It begins and commits by itself. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kernel } from '../kernel';
import { sendOn, withConnection } from './direct';
import type { OutboxRow } from './outbox';
import { CommitUnknown, isDeadlock, isUnreachable } from './outcome';
import type { Database } from './pool';

/** What the driver answers to each statement: rows, or how many were changed. */
export type PacketReply =
  | readonly Record<string, unknown>[]
  | { readonly affectedRows: number; readonly insertId: number };

/**
 * Runs the statements as one transaction: all or nothing. Values go as bindings. A lost answer is CommitUnknown, as the
 * server may have committed; any other error means that it has not.
 */
export function runPacket(
  db: Database,
  statements: readonly string[],
  bindings: readonly unknown[],
): Promise<PacketReply[]> {
  return withConnection(db, async (connection) => {
    try {
      const sql = `${statements.reduce((all, one) => `${all}; ${one}`, 'BEGIN')}; COMMIT`;
      const replies = (await sendOn(db, connection, sql, bindings)) as PacketReply[];
      return replies.slice(1, -1);
    } catch (error) {
      if (isUnreachable(error)) throw new CommitUnknown(error);
      await sendOn(db, connection, 'ROLLBACK', []).catch(() => {});
      throw error;
    }
  });
}

export interface Packet<T> {
  readonly statements: readonly string[];
  readonly bindings: readonly unknown[];
  /** What it came to, and the outbox rows that it has written. */
  read(replies: readonly PacketReply[]): { readonly value: T; readonly rows: readonly OutboxRow[] };
}

const MOST_ATTEMPTS = 4;
const PAUSE_MS = 5;

/** Runs a packet that changes something and tells of it; a deadlock repeats it. The answer does not wait for the telling. */
export async function commitPacket<T>(kernel: Kernel, packet: Packet<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      await kernel.pause('before-commit');
      const { value, rows } = packet.read(await runPacket(kernel.mysql, packet.statements, packet.bindings));
      await kernel.pause('after-commit');
      if (rows.length > 0) void kernel.outbox.carry(rows);
      return value;
    } catch (error) {
      if (!isDeadlock(error) || tries === MOST_ATTEMPTS) throw error;
      await wait(PAUSE_MS * tries * (0.5 + Math.random()));
    }
  }
}
