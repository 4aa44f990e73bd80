/** A change in one round trip, for orders that somebody waits for. */
import type { Knex } from 'knex';
import type { Kernel } from '../kernel';
import { runPacket, type PacketReply } from './packet';
import { retryDeadlocks } from './retry-deadlocks';

/** A statement that is not run yet. */
export type Query = Knex.QueryBuilder;

/** As knex writes them: toSQL() of a query. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** Runs them as one packet, with the pauses of a transaction around its commit. */
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
