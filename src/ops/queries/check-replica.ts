/** Checks whether the read replica for lists and searches keeps up with the primary. */
import type { Database } from '../../kernel/mysql/pool';
import { hasCaughtUp, openCommitted } from '../../kernel/mysql/replica';
import { ok, warn, type Finding } from '../model/finding';

const check = 'mysql-replica';

export async function checkReplica(primary: Database, replica: Database, waitMs: number): Promise<Finding> {
  const committed = await openCommitted(primary)();
  if (!committed) {
    return warn(
      check,
      'the primary writes no binary log, so the replica is never read from',
      'Set log_bin on the primary.',
    );
  }
  if (await hasCaughtUp(replica, committed, waitMs)) return ok(check, 'has all that the primary has committed');
  const advice = 'Let it follow by GTID (SHOW REPLICA STATUS on it says why not), or raise REPLICA_WAIT_MS.';
  return warn(check, `lags by more than ${waitMs} ms, so the primary is read from instead`, advice);
}
