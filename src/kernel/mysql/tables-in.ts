/** A migration that is an SQL file of CREATE TABLE statements. Taking it back drops the tables. */
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';

export function tablesIn(path: string): Knex.Migration {
  const sql = readFileSync(path, 'utf8');
  return {
    // All have IF NOT EXISTS, so that a migration whose process was killed can run again.
    up: (db) => db.raw(sql),
    async down(db) {
      const names = [...sql.matchAll(/^CREATE TABLE IF NOT EXISTS (\w+)/gm)].map((match) => match[1]!);
      // The last one first, because tables refer to earlier ones.
      for (const name of names.toReversed()) await db.schema.dropTable(name);
    },
  };
}
