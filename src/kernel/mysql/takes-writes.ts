/** Whether a server is one to write to. A replica and a server that has lost its cluster answer, but take no writes. */
import type { Database } from './pool';

/** Its message is a sentence for people. */
export class TakesNoWrites extends Error {
  constructor(reason: string) {
    super(`MySQL takes no writes: ${reason}`);
    this.name = 'TakesNoWrites';
  }
}

/** Fails where the server would refuse a write. */
export async function checkTakesWrites(db: Database): Promise<void> {
  // Elsewhere than on Galera the second says "Disconnected", or nothing.
  const asked = "SELECT @@global.read_only AS readOnly; SHOW STATUS LIKE 'wsrep_cluster_status'";
  const [[[row], [status]]] = (await db.raw(asked)) as [[[{ readOnly: number | string }], [{ Value: string }?]]];
  // A number, or the word of newer releases of MariaDB.
  if (!['0', 'OFF'].includes(String(row.readOnly))) throw new TakesNoWrites('it is read-only');
  if (status?.Value === 'non-Primary') throw new TakesNoWrites('it is cut off from its Galera cluster');
}
