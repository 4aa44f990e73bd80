/** Several reads as of one moment, despite concurrent writes. */
import type { Knex } from 'knex';
import type { Database } from './pool';
import { BEGIN_SNAPSHOT, gatherReads, runRead, type Read, type RunRead } from './read-packet';

export function readSnapshot<T>(db: Database, read: (db: Knex.Transaction) => Promise<T>): Promise<T> {
  return db.transaction(read, { isolationLevel: 'repeatable read' });
}

/**
 * The same for reads that are gathered. The first packet begins the transaction, and nobody waits for its end: there is
 * nothing to commit.
 */
export async function gatherSnapshot<T>(db: Database, work: (read: RunRead) => Promise<T>): Promise<T> {
  const client = db.client as Knex.Client;
  const connection: unknown = await client.acquireConnection();
  let hasBegun = false;
  let isOver = false;
  async function run<V>(read: Read<V>): Promise<V> {
    if (isOver) throw new Error('the snapshot is over');
    const { statements, parse } = read;
    if (hasBegun || statements.length === 0) return runRead(db, read, connection);
    hasBegun = true;
    const begin = BEGIN_SNAPSHOT.split('; ').map((sql) => ({ sql, bindings: [] }));
    return runRead(
      db,
      { statements: [...begin, ...statements], parse: (rows) => parse(rows.slice(begin.length)) },
      connection,
    );
  }
  async function end(): Promise<void> {
    isOver = true;
    // A connection that is lost has no transaction any more, and the pool does not use it again.
    if (hasBegun)
      await db
        .raw('COMMIT')
        .connection(connection)
        .catch(() => {});
    await client.releaseConnection(connection);
  }
  try {
    return await work(gatherReads(db, run));
  } finally {
    void end();
  }
}
