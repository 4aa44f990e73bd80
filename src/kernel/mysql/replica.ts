/** What a primary has committed, and whether a replica has it: by GTID, which MariaDB and MySQL name differently. */
import type { Database } from './pool';

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

/** The returned function asks the primary; it gives undefined if the primary writes no binary log. */
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
