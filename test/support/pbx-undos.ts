/** Lets time pass for orders that are being undone, so that no test waits for late changes of a PBX. */
import { release, take } from '../../src/kernel/mailbox/lease';
import type { Database } from '../../src/kernel/mysql/pool';
import { until } from './until';

/** Runs the work while no worker has its turn at this PBX. */
export async function withLease(mysql: Database, instance: string, work: () => Promise<unknown>): Promise<void> {
  const taken = await until(
    () => take(mysql, `pbx/${instance}`, 60_000, []),
    (came) => 'lease' in came,
  );
  try {
    await work();
  } finally {
    if ('lease' in taken) await release(mysql, taken.lease);
  }
}

/** As if an hour had passed: each undo checks once more, and expects no late change after that. */
export const passAnHour = (mysql: Database, instance: string): Promise<void> =>
  withLease(mysql, instance, () =>
    mysql('tel_operations')
      .where({ instance, state: 'undoing' })
      .update({ called_at: mysql.raw('called_at - INTERVAL 1 HOUR'), next_try_at: mysql.raw('NOW(3)') }),
  );
