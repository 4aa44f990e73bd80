/** Transactions that wait for a lock of another, for tests of what happens meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/kernel/mysql/pool';
import { until } from './until';

export async function untilSomebodyWaits(db: Database): Promise<void> {
  // InnoDB shows this table as it was for as long as somebody reads it more often than every 100 ms.
  const waiting = async () => {
    await wait(150);
    return db('information_schema.innodb_lock_waits').select('requesting_trx_id');
  };
  await until(waiting, (rows) => rows.length > 0);
}
