/**
 * Decides where a read runs that a replica may answer: searches and lists, which nothing is decided by. The replica is
 * used once it has everything that the primary had committed when the read began. So a read never misses what any client
 * has been told is stored, whichever node stored it.
 */
import type { Log } from '../log';
import { isUnreachable } from './outcome';
import type { Database } from './pool';

/** Runs a read on the replica if that is as good as the primary, and on the primary otherwise. It may be run twice. */
export type ReadFrom = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

export interface ReplicaOptions {
  /** A replica that lags by more than this is passed over. */
  readonly replicaWaitMs: number;
}

/** So long a replica that was away, or late, is not tried again. */
const REST_MS = 2000;

/** MariaDB and MySQL name what is committed, and the wait for it, each in its own way. */
const WAITS: Readonly<Record<string, string>> = {
  gtid_binlog_pos: 'SELECT MASTER_GTID_WAIT(?, ?) AS late',
  gtid_executed: 'SELECT WAIT_FOR_EXECUTED_GTID_SET(?, ?) AS late',
};
const NAMES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('${Object.keys(WAITS).join("', '")}')`;

// oxlint-disable-next-line max-params -- where to read, in which order, how patiently, and where that is logged
export function openReadFrom(
  primary: Database,
  replica: Database | undefined,
  { replicaWaitMs }: ReplicaOptions,
  log: Log,
): ReadFrom {
  if (replica === undefined) return (read) => read(primary);
  let name: string | undefined;
  let restsUntil = -Infinity;

  /** All that the primary has committed; empty where it writes no binary log. */
  async function position(): Promise<string> {
    if (name === undefined) {
      const [found] = (await primary.raw(NAMES)) as [{ Variable_name: string }[]];
      name = found[0]?.Variable_name;
      if (name === undefined) return '';
    }
    const [[row]] = (await primary.raw(`SELECT @@global.${name} AS position`)) as [[{ position: string }]];
    return row.position;
  }

  /** A replica that cannot be asked, for whatever reason, is not as good. */
  async function isAsGood(db: Database): Promise<boolean> {
    if (performance.now() < restsUntil) return false;
    try {
      const committed = await position();
      if (committed !== '') {
        const asked = (await db.raw(WAITS[name!]!, [committed, replicaWaitMs / 1000])) as [[{ late: number | null }]];
        if (asked[0][0].late === 0) return true;
      }
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
