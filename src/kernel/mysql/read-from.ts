/**
 * Chooses where a read runs that a replica may answer: searches, lists and exports, on which no decision depends. The
 * replica is used once it has everything that the primary had committed when the read began. So a read never misses
 * anything that any node has reported as stored.
 */
import type { Log } from '../log';
import type { KernelSettings } from '../settings';
import { isUnreachable } from './outcome';
import type { Database } from './pool';

/** Runs a read on the replica if it is up to date, otherwise on the primary. The read may run twice. */
export type ReadFrom = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

/** How long a replica that was unreachable or late is not tried again. */
const REST_MS = 2000;

// oxlint-disable-next-line max-params -- the primary, the replica, the options and the log
export function openReadFrom(
  primary: Database,
  replica: Database | undefined,
  { replicaWaitMs }: Pick<KernelSettings, 'replicaWaitMs'>,
  log: Log,
): ReadFrom {
  if (replica === undefined) return (read) => read(primary);
  const committedNow = openCommitted(primary);
  let restsUntil = -Infinity;

  /** A replica that cannot be asked is not up to date. */
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
    if (restsUntil < performance.now()) log.warn({ reason }, 'the MySQL replica is skipped for now');
    restsUntil = performance.now() + REST_MS;
  }

  return async (read) => {
    if (!(await isAsGood(replica))) return read(primary);
    try {
      return await read(replica);
    } catch (error) {
      // An error that the replica answered is the answer.
      if (!isUnreachable(error)) throw error;
      rest(error);
    }
    return read(primary);
  };
}

/** Everything that a primary had committed at a moment. */
export interface Committed {
  readonly position: string;
  /** The statement with which a replica waits for it. */
  readonly wait: string;
}

const WAITS: Readonly<Record<string, string>> = {
  gtid_binlog_pos: 'SELECT MASTER_GTID_WAIT(?, ?) AS late',
  gtid_executed: 'SELECT WAIT_FOR_EXECUTED_GTID_SET(?, ?) AS late',
};
const NAMES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('${Object.keys(WAITS).join("', '")}')`;

/** By GTID, which MariaDB and MySQL name differently. The returned function asks the primary; it gives undefined if the primary writes no binary log. */
export function openCommitted(primary: Database): () => Promise<Committed | undefined> {
  let name: string | undefined;
  return async () => {
    if (name === undefined) {
      const [found] = (await primary.raw(NAMES)) as [{ Variable_name: string }[]];
      name = found[0]?.Variable_name;
      if (name === undefined) return undefined;
    }
    const [[{ position }]] = (await primary.raw(`SELECT @@global.${name} AS position`)) as [[{ position: string }]];
    return position === '' ? undefined : { position, wait: WAITS[name]! };
  };
}

/** Waits until the replica has it, at most this long. */
export async function hasCaughtUp(replica: Database, committed: Committed, waitMs: number): Promise<boolean> {
  const [[{ late }]] = (await replica.raw(committed.wait, [committed.position, waitMs / 1000])) as [
    [{ late: number | null }],
  ];
  return late === 0;
}
