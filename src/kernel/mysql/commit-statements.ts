/** Commits several statements in one round trip, for changes that a caller waits for. */
import type { Knex } from 'knex';
import type { Waker, WakeOrder } from '../jobs/job';
import { runPacket, type PacketParts, type PacketReply } from './packet';
import { retryDeadlocks } from './retry-deadlocks';

/** A statement that has not run yet. */
export type Query = Knex.QueryBuilder;

/** As knex's toSQL() returns them. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** What only writes. Workers are woken once it has committed. */
export interface Writes extends Waker {
  /** Runs with the commit, in the given order and the same round trip: for writes that nothing here reads. */
  writeLast(statement: Statement): void;
}

/** A transaction that only writes: one round trip. */
export async function commitWrites(
  { jobs, ...parts }: PacketParts & { readonly jobs: Waker },
  write: (tx: Writes) => void,
): Promise<void> {
  const statements: Statement[] = [];
  const wakes: WakeOrder[] = [];
  write({
    writeLast: (statement) => void statements.push(statement),
    wake: (...orders) => void wakes.push(...orders),
  });
  await commitStatements(parts, statements);
  jobs.wake(...wakes);
}

/** Runs them as one packet, with a transaction's pause points around the commit. */
export async function commitStatements(
  { mysql, pause }: PacketParts,
  statements: readonly Statement[],
): Promise<readonly PacketReply[]> {
  await pause('before-commit');
  const replies = await retryDeadlocks(() =>
    runPacket(
      mysql,
      statements.map(({ sql }) => sql),
      statements.flatMap(({ bindings }) => bindings),
    ),
  );
  await pause('after-commit');
  return replies;
}
