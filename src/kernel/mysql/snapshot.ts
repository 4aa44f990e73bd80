/** Several reads as of one moment, despite concurrent writes. */
import type { Knex } from 'knex';
import type { Database } from './pool';

export function readSnapshot<T>(db: Database, read: (db: Knex.Transaction) => Promise<T>): Promise<T> {
  return db.transaction(read, { isolationLevel: 'repeatable read' });
}
