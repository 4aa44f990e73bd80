/** Several statements in one round trip, for paths where each round trip counts. It begins and commits by itself. */
import type { Database } from './pool';
import { CommitUnknown, isUnreachable } from './outcome';

/** What the driver answers to each statement: rows, or how many were changed. */
export type PacketReply =
  | readonly Record<string, unknown>[]
  | { readonly affectedRows: number; readonly insertId: number };

interface Pool {
  acquireConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<void>;
}

/**
 * Runs the statements as one transaction: all or nothing. Values go as bindings. A lost answer is CommitUnknown, as the
 * server may have committed; any other error means that it has not.
 */
export async function runPacket(
  db: Database,
  statements: readonly string[],
  bindings: readonly unknown[],
): Promise<PacketReply[]> {
  const pool = db.client as Pool;
  const connection = await pool.acquireConnection();
  try {
    const sql = ['BEGIN', ...statements, 'COMMIT'].join('; ');
    // Typed as a connection of this very pool; knex keeps that type to itself.
    const [replies] = (await db.raw(sql, bindings as never).connection(connection)) as [PacketReply[]];
    return replies.slice(1, -1);
  } catch (error) {
    if (isUnreachable(error)) throw new CommitUnknown(error);
    await db
      .raw('ROLLBACK')
      .connection(connection)
      .catch(() => {});
    throw error;
  } finally {
    await pool.releaseConnection(connection);
  }
}
