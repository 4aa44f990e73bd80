/** A change and what is told of it in one round trip, for orders that somebody waits for. */
import type { Knex } from 'knex';
import type { Kernel } from '../kernel';
import type { Delivery } from './outbox';
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

/** The same as a transaction that delivers this; its publisher must be one that keeps no order. */
export async function deliverPacket(
  kernel: Pick<Kernel, 'mysql' | 'outbox' | 'pause'>,
  statements: readonly Statement[],
  delivery: Delivery,
): Promise<void> {
  const { carrier, tenant, body } = delivery;
  if (kernel.outbox.isNumbered(carrier)) throw new Error(`what ${carrier} carries needs a number`);
  const all = [
    ...statements,
    {
      sql: 'INSERT INTO kernel_outbox (carrier, tenant, number, body, created_at) VALUES (?, ?, NULL, ?, NOW(3))',
      bindings: [carrier, tenant, body],
    },
  ];
  const replies = await commitStatements(kernel, all);
  const { insertId: id } = replies.at(-1) as { insertId: number };
  void kernel.outbox.carry([{ ...delivery, id, number: null }]);
}
