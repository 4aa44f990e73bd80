/** Creates tables with one character set and collation, whatever the database's default, so names compare alike. */
import type { Knex } from 'knex';

export function createTable(db: Knex, name: string, build: (table: Knex.CreateTableBuilder) => void): Promise<void> {
  return db.schema.createTable(name, (table) => {
    table.charset('utf8mb4');
    // Available in both MySQL 8 and MariaDB.
    table.collate('utf8mb4_unicode_520_ci');
    build(table);
  });
}
