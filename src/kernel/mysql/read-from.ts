/**
 * Decides where a read runs that a replica may answer: searches, lists and exports, which nothing is decided by. The
 * replica is used once it has everything that the primary had committed when the read began. So a read never misses what
 * any client has been told is stored, whichever node stored it.
 */
import type { Log } from '../log';
import { isUnreachable } from './outcome';
import type { Database } from './pool';
import { hasCaughtUp, openCommitted } from './replica';

/** Runs a read on the replica if that is as good as the primary, and on the primary otherwise. It may be run twice. */
export type ReadFrom = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

export interface ReplicaOptions {
  /** A replica that lags by more than this is passed over. */
  readonly replicaWaitMs: number;
}

/** So long a replica that was away, or late, is not tried again. */
const REST_MS = 2000;

// oxlint-disable-next-line max-params -- where to read, in which order, how patiently, and where that is logged
export function openReadFrom(
  primary: Database,
  replica: Database | undefined,
  { replicaWaitMs }: ReplicaOptions,
  log: Log,
): ReadFrom {
  if (replica === undefined) return (read) => read(primary);
  const committedNow = openCommitted(primary);
  let restsUntil = -Infinity;

  /** A replica that cannot be asked, for whatever reason, is not as good. */
  async function isAsGood(db: Database): Promise<boolean> {
    if (performance.now() < restsUntil) return false;
    try {
      const committed = await committedNow();
      if (committed && (await hasCaughtUp(db, committed, replicaWaitMs))) return true;
      rest('late');
    } catch (error) {
      rest(error);
    }
    return false;
  }

  function rest(reason: unknown): void {
    if (restsUntil < performance.now()) log.warn({ reason }, 'the replica of MySQL is passed over');
    restsUntil = performance.now() + REST_MS;
  }

  return async (read) => {
    if (!(await isAsGood(replica))) return read(primary);
    try {
      return await read(replica);
    } catch (error) {
      // An answer that is a refusal is the answer.
      if (!isUnreachable(error)) throw error;
      rest(error);
    }
    return read(primary);
  };
}
