/** Several statements in one round trip, for paths where each counts. A packet begins and commits by itself. */
import type { Pause } from '../pause';
import { rawOf } from './direct';
import type { Outbox, OutboxRow } from './outbox';
import { CommitUnknown, isUnreachable } from './outcome';
import type { Database } from './pool';
import { retryDeadlocks } from './retry-deadlocks';

/** The driver's reply to each statement: rows, or how many were changed. */
export type PacketReply =
  | readonly Record<string, unknown>[]
  | { readonly affectedRows: number; readonly insertId: number };

/**
 * Runs the statements as one transaction. Values are passed as bindings. A lost answer becomes CommitUnknown, because
 * the server may have committed; any other error means that it has not.
 */
export async function runPacket(
  db: Database,
  statements: readonly string[],
  bindings: readonly unknown[],
): Promise<PacketReply[]> {
  const sql = `${statements.reduce((all, one) => `${all}; ${one}`, 'BEGIN')}; COMMIT`;
  let wasSent = false;
  const packet = rawOf(db, sql, bindings).options({ rollBackOnError: true });
  void packet.on('query', () => {
    wasSent = true;
  });
  try {
    const [replies] = (await packet) as [PacketReply[]];
    return replies.slice(1, -1);
  } catch (error) {
    // A packet that got no connection was not sent, and has changed nothing.
    throw wasSent && isUnreachable(error) ? new CommitUnknown(error) : error;
  }
}

/**
 * Runs statements that change nothing the second time, because their rows have keys of their own. If the answer to the
 * commit is lost, they run once more, and then it is certain that they are stored.
 */
export async function runRepeatable(db: Database, statements: readonly string[]): Promise<void> {
  try {
    await runPacket(db, statements, []);
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    await runPacket(db, statements, []);
  }
}

export interface Packet<T> {
  readonly statements: readonly string[];
  readonly bindings: readonly unknown[];
  /** The result, and the outbox rows that the packet wrote. */
  read(replies: readonly PacketReply[]): { readonly value: T; readonly rows: readonly OutboxRow[] };
}

/** A packet whose values are literals in its statements, so that question marks are text. */
export interface TextPacket<T> extends Packet<T> {
  readonly bindings: readonly [];
}

/** What running a packet takes. */
export interface PacketParts {
  readonly mysql: Database;
  readonly pause: Pause;
}

/** Runs a packet that changes and publishes something; retries deadlocks. The caller does not wait for publication. */
export async function commitPacket<T>(
  { mysql, pause, outbox }: PacketParts & { readonly outbox: Outbox },
  packet: Packet<T>,
): Promise<T> {
  const { value, rows } = await retryDeadlocks(async () => {
    await pause('before-commit');
    return packet.read(await runPacket(mysql, packet.statements, packet.bindings));
  });
  await pause('after-commit');
  if (rows.length > 0) void outbox.publish(rows);
  return value;
}
