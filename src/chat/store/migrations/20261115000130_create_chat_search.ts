/** Words and where they stand, filled after the fact by a worker; a table of our own, alike in MariaDB and MySQL. */
import type { Knex } from 'knex';
import { createTable } from '../../../kernel/mysql/create-table';

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'chat_search', (table) => {
    table.integer('realm_id').unsigned().notNullable();
    // The stem of a word, in lower case; or a trait of the message, which has a colon in it.
    table.string('word', 32).collate('utf8mb4_bin').notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
    table.primary(['realm_id', 'word', 'message_id']);
    // By which the words of a changed message are found again.
    table.index(['realm_id', 'message_id']);
  });
  await createTable(db, 'chat_search_cursors', (table) => {
    table.integer('realm_id').unsigned().primary();
    // Every message up to here is in the table.
    table.bigInteger('indexed_id').unsigned().notNullable().defaultTo(0);
  });
  await createTable(db, 'chat_search_changes', (table) => {
    // Messages that were changed or deleted since.
    table.bigIncrements('id');
    table.integer('realm_id').unsigned().notNullable();
    table.bigInteger('message_id').unsigned().notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['chat_search_changes', 'chat_search_cursors', 'chat_search']) await db.schema.dropTable(table);
}
