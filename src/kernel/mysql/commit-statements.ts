/** Commits several statements in one round trip, for changes that a caller waits for. */
import type { Knex } from 'knex';
import type { Kernel } from '../kernel';
import { runPacket, type PacketReply } from './packet';
import { retryDeadlocks } from './retry-deadlocks';

/** A statement that has not run yet. */
export type Query = Knex.QueryBuilder;

/** As knex's toSQL() returns them. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** Runs them as one packet, with a transaction's pause points around the commit. */
export async function commitStatements(
  kernel: Pick<Kernel, 'mysql' | 'pause'>,
  statements: readonly Statement[],
): Promise<readonly PacketReply[]> {
  await kernel.pause('before-commit');
  const replies = await retryDeadlocks(() =>
    runPacket(
      kernel.mysql,
      statements.map(({ sql }) => sql),
      statements.flatMap(({ bindings }) => bindings),
    ),
  );
  await kernel.pause('after-commit');
  return replies;
}
