/**
 * Counts what MySQL does on somebody's behalf, such as a request's. Statements that are sent together are one round
 * trip. Opening a connection is not counted.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface MysqlWork {
  roundTrips: number;
  statements: number;
}

const current = new AsyncLocalStorage<MysqlWork | undefined>();

/** Since Node 24, following a request through its promises is next to free. Before, it calls a hook for each promise. */
export const IS_COUNTING_FREE = Number.parseInt(process.versions.node, 10) >= 24;

/** What is done now counts here. */
export const currentWork = (): MysqlWork | undefined => current.getStore();

function add(to: MysqlWork, { roundTrips, statements }: MysqlWork): void {
  to.roundTrips += roundTrips;
  to.statements += statements;
}

/** Adds what MySQL does until the end of `run`, and not what `run` leaves behind. */
export async function countWork<T>(totals: readonly MysqlWork[], run: () => Promise<T>): Promise<T> {
  // As long as nobody counts, Node need not follow anything.
  if (totals.length === 0) return run();
  const own = { roundTrips: 0, statements: 0 };
  try {
    return await current.run(own, run);
  } finally {
    for (const total of totals) add(total, own);
  }
}

/** For what is started by somebody and done for all. */
export const uncounted = <T>(run: () => T): T => (currentWork() ? current.run(undefined, run) : run());

/** How many statements the driver has answered: it lists the fields of each if they are several. */
export function answeredStatements(fields: unknown): number {
  if (!Array.isArray(fields)) return 1;
  const [first] = fields as unknown[];
  return first === undefined || Array.isArray(first) ? fields.length : 1;
}
