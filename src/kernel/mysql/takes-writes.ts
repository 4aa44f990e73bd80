/** Checks that a server accepts writes. A replica, or a server cut off from its cluster, answers but accepts none. */
import type { Database } from './pool';

/** Its message is a sentence for people. */
export class TakesNoWrites extends Error {
  constructor(reason: string) {
    super(`MySQL takes no writes: ${reason}`);
    this.name = 'TakesNoWrites';
  }
}

/** Throws if the server would refuse a write. */
export async function checkTakesWrites(db: Database): Promise<void> {
  // Without Galera, the second statement returns "Disconnected" or nothing.
  const asked = "SELECT @@global.read_only AS readOnly; SHOW STATUS LIKE 'wsrep_cluster_status'";
  const [[[row], [status]]] = (await db.raw(asked)) as [[[{ readOnly: number | string }], [{ Value: string }?]]];
  // A number, or a word in newer MariaDB releases.
  if (!['0', 'OFF'].includes(String(row.readOnly))) throw new TakesNoWrites('it is read-only');
  if (status?.Value === 'non-Primary') throw new TakesNoWrites('it is cut off from its Galera cluster');
}
