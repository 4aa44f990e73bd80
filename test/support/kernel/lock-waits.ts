/** Transactions that wait for another's lock, for tests of what happens meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../../src/kernel/mysql/pool';
import { until } from '../until';

export async function untilSomebodyWaits(db: Database): Promise<void> {
  // InnoDB does not refresh this table while it is read more often than every 100 ms.
  const waiting = async () => {
    await wait(150);
    return db('information_schema.innodb_lock_waits').select('requesting_trx_id');
  };
  await until(waiting, (rows) => rows.length > 0);
}
