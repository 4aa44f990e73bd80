/** The transaction state of a MySQL or MariaDB session, queried in a way that both support. */
import type { Database } from '../../../src/kernel/mysql/pool';

const IN_TRANSACTION = 1568;

/** Needs a pool of one connection. The server refuses this statement in a transaction; otherwise it changes nothing. */
export const isInTransaction = (db: Database): Promise<boolean> =>
  db.raw('SET TRANSACTION READ WRITE').then(
    () => false,
    (error: { errno?: number }) => {
      if (error.errno === IN_TRANSACTION) return true;
      throw error;
    },
  );

/** The variable has another name in each. */
export async function isolationOf(db: Database): Promise<string> {
  const names = "Variable_name IN ('tx_isolation', 'transaction_isolation')";
  const [rows] = (await db.raw(`SHOW SESSION VARIABLES WHERE ${names}`)) as [{ Value: string }[]];
  return rows[0]!.Value;
}
